import Apps
import SQLite
import Secrets
import Surroundings
import Traffic
package import Web

extension Simulator {
    /// The apps a snapshot of a device speaks of, and the backend each talks
    /// to now. Throws a `Problem` for a device or an app that is not there.
    package func scope(ofDevice device: String, app: String?, in workspace: String) async throws
        -> [(app: String, backend: String)]
    {
        guard try await self.device(device, in: workspace) != nil else {
            throw Problem.unknownDevice(device)
        }
        var scope: [(app: String, backend: String)] = []
        for place in try places(device, app, workspace) {
            let situation = try await situation(place)
            scope.append((place.app, situation.backend))
        }
        return scope
    }

    /// Keeps how a device is under `id`, while nothing of it changes;
    /// `first` is done before, in the same standstill.
    package func takeSnapshot(
        _ id: String, name: String, ofDevice device: String, app: String?, contracts: [String],
        in workspace: String, first: () async throws -> Void
    ) async throws -> Snapshot {
        let places = try places(device, app, workspace)
        let now = world.now()
        let count = try await database.reading { connection in
            try connection.integer(
                "SELECT count(*) FROM snapshots WHERE workspace = ?", [.text(workspace)])
        }
        guard count ?? 0 < Snapshot.most else { throw Problem.tooMany }
        return try await cupboard.still(places) {
            try await first()
            var bodies: [JSON] = []
            var apps: [String] = []
            for place in places {
                let app = try self.app(place)
                let (_, kept, _) = try await cupboard.load(place, app)
                // Never started: there is nothing to keep of it.
                guard kept.row != nil else { continue }
                try kept.checkReadable(place, app)
                let shown = cupboard.show(place) { $0 }
                guard let shown else { continue }
                apps.append(app.id)
                bodies.append(Restored.body(kept, shown, of: app))
            }
            let body = JSON.array(bodies).description
            guard body.utf8.count <= Snapshot.mostBytes else {
                throw Problem.tooLarge(body.utf8.count)
            }
            let snapshot = Snapshot(
                id: id, sequence: 0, workspace: workspace, name: name, device: device, app: app,
                apps: apps, contracts: contracts, takenAt: now, bytes: body.utf8.count)
            let sealed: String
            do { sealed = try cupboard.sealer.seal(body) } catch let error as SecretsError {
                throw Problem(error)
            }
            try await database.writing { connection in
                try SnapshotTable.insert(snapshot, sealed, connection)
            }
            return try await self.snapshot(id, in: workspace) ?? snapshot
        }
    }

    /// A page of a workspace's snapshots, newest first.
    package func snapshots(
        in workspace: String, name: String? = nil, before: Int64? = nil, limit: Int = 50
    ) async throws -> (items: [Snapshot], total: Int, hasOlder: Bool) {
        let (items, total) = try await database.reading { connection in
            try SnapshotTable.page(
                workspace, name: name, before: before, limit: limit + 1, connection)
        }
        return (Array(items.prefix(limit)), total, items.count > limit)
    }

    package func snapshot(_ id: String, in workspace: String) async throws -> Snapshot? {
        try await database.reading { connection in
            try SnapshotTable.snapshot(id, workspace, connection)
        }
    }

    /// Puts a device back to how it was, all its apps in one write; `first`
    /// is done before, while nothing of the device changes. That it is under
    /// way is known from before `first` until that write: what a kill cuts in
    /// two is among `halfRestored` at the next start.
    ///
    /// Throws a `Problem`, and does nothing, if the snapshot, its workspace or
    /// its device is gone, or an app or the screen it stood on is no longer in
    /// a manifest.
    package func restore(_ snapshot: Snapshot, cause: Int64? = nil, first: () async throws -> Void)
        async throws
    {
        // A server is put back for every device: of two at once, the halves
        // of one would be apart.
        await restores.enter(snapshot.workspace)
        defer { restores.leave(snapshot.workspace) }
        guard hasWorkspace(snapshot.workspace) else {
            throw Problem.unknownWorkspace(snapshot.workspace)
        }
        let body = try await database.reading { connection in
            try SnapshotTable.body(snapshot.id, connection)
        }
        guard let body else { throw Problem.unknownSnapshot(snapshot.id) }
        guard try await device(snapshot.device, in: snapshot.workspace) != nil else {
            throw Problem.deviceGone(snapshot.device)
        }
        let wanted = try await wanted(snapshot, body)
        try await cupboard.still(wanted.map(\.place)) {
            let isThere = try await database.writing { connection in
                try RestoreTable.begin(snapshot.id, connection)
            }
            guard isThere else { throw Problem.unknownSnapshot(snapshot.id) }
            do {
                try await first()
                try await cupboard.restore(wanted, cause: cause, ending: snapshot.id)
            } catch {
                // Whoever asked is told and may ask again. A start must not
                // do it by itself, after all that happens until then.
                do { try await giveUp(restoring: snapshot.id) } catch {
                    world.log(
                        "snapshots: \(snapshot.id) will be put back at the "
                            + "next start: \(words(of: error))")
                }
                // What a workspace takes along when it goes was not there.
                guard hasWorkspace(snapshot.workspace) else {
                    throw Problem.unknownWorkspace(snapshot.workspace)
                }
                throw error
            }
        }
    }

    /// Snapshots that were being put back when the process was killed.
    package func halfRestored() async throws -> [Snapshot] {
        let cut = try await database.reading { connection in try RestoreTable.all(connection) }
        var snapshots: [Snapshot] = []
        for (id, workspace) in cut {
            guard let one = try await snapshot(id, in: workspace) else { continue }
            snapshots.append(one)
        }
        return snapshots
    }

    /// It is not under way any more, however far it came.
    package func giveUp(restoring id: String) async throws {
        try await database.writing { connection in try RestoreTable.end(id, connection) }
    }

    /// Not while a snapshot of its workspace is put back.
    package func delete(snapshot id: String, in workspace: String) async throws {
        await restores.enter(workspace)
        defer { restores.leave(workspace) }
        try await database.writing { connection in try SnapshotTable.delete(id, connection) }
    }

    /// Every snapshot's workspace, by the snapshot's id.
    package func snapshotWorkspaces() async throws -> [String: String] {
        let all = try await database.reading { connection in
            try connection.rows("SELECT id, workspace FROM snapshots") { ($0.text(0), $0.text(1)) }
        }
        return Dictionary(all, uniquingKeysWith: { $1 })
    }

    /// What the snapshot holds, and apps started since as if they never were.
    private func wanted(_ snapshot: Snapshot, _ sealed: String) async throws -> [Restored] {
        let json: JSON
        do { json = try JSON(parsing: try cupboard.sealer.open(sealed)) } catch let error
            as SecretsError
        { throw Problem(error) }
        guard case .array(let bodies) = json else { return [] }
        var wanted: [Restored] = []
        for body in bodies {
            let id = body["app"]?.string ?? ""
            guard let app = catalogue.app(id) else { throw Problem.appGone(id) }
            let place = Place(workspace: snapshot.workspace, device: snapshot.device, app: id)
            wanted.append(try Restored(body, of: place, app: app))
        }
        let known = Set(wanted.map(\.place.app))
        for place in try places(snapshot.device, snapshot.app, snapshot.workspace)
        where !known.contains(place.app) {
            let app = try app(place)
            let (device, kept, _) = try await cupboard.look(place, app, damaged: true)
            guard kept.row != nil else { continue }
            wanted.append(
                Restored(
                    place: place, app: app, kept: Kept(fresh: app, at: device.createdAt), shown: nil
                ))
        }
        return wanted
    }

    /// One app on a device, or every app there is.
    private func places(_ device: String, _ app: String?, _ workspace: String) throws(Problem)
        -> [Place]
    {
        var ids: [String] = []
        if let app {
            guard catalogue.app(app) != nil else { throw Problem.unknownApp(app) }
            ids = [app]
        } else {
            for case .app(let app) in catalogue.entries() { ids.append(app.id) }
        }
        return ids.map { Place(workspace: workspace, device: device, app: $0) }
    }
}

extension Problem {
    package static func unknownSnapshot(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-snapshot", title: "There is no such snapshot",
            detail: "No snapshot of this workspace has the id \(id.prefix(40)).",
            call: "GET /api/snapshots lists them.")
    }

    fileprivate static func deviceGone(_ id: String) -> Problem {
        Problem(
            status: 409, code: "device-gone", title: "The snapshot's device is gone",
            detail: "The device \(id.prefix(40)) is no longer in this "
                + "workspace, so nothing can be put back on it.")
    }

    fileprivate static func appGone(_ id: String) -> Problem {
        Problem(
            status: 409, code: "app-gone", title: "The snapshot holds an app that is gone",
            detail: "No manifest that can be read has the id "
                + "\(id.prefix(40)) any more. Put it back, or delete the snapshot.")
    }

    fileprivate static var tooMany: Problem {
        Problem(
            status: 409, code: "too-many-snapshots", title: "The workspace has too many snapshots",
            detail: "It keeps \(Snapshot.most). Delete one first.")
    }

    fileprivate static func tooLarge(_ bytes: Int) -> Problem {
        Problem(
            status: 413, code: "snapshot-too-large",
            title: "The device stores too much for a snapshot",
            detail: "Its half would have \(bytes) bytes; a snapshot may have "
                + "\(Snapshot.mostBytes). Take one of a single app.")
    }
}
