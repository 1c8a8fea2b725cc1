import Apps
package import Core
import Crypto
import SQLite
import Traffic
package import Web

extension Simulator {
    /// The apps in a snapshot of a device, with the current backend of each. Throws a `Problem` for
    /// an unknown device or app.
    package func snapshotScope(ofDevice device: String, app: String?, in workspace: String)
        async throws -> [(app: String, backend: String)]
    {
        _ = try await stateStore.requireDevice(device, in: workspace)
        var scope: [(app: String, backend: String)] = []
        for instance in try instances(device, app, workspace) {
            scope.append((instance.app, try await context(instance).backend))
        }
        return scope
    }

    /// Stores a device's state under `id`. `performingFirst` runs before it, while the device is
    /// locked.
    package func takeSnapshot(
        _ id: String, name: String, ofDevice device: String, app: String?, contracts: [String],
        in workspace: String, performingFirst: () async throws -> Void
    ) async throws -> Snapshot {
        let instances = try instances(device, app, workspace)
        let now = world.now()
        let count = try await database.count(
            "SELECT count(*) FROM snapshots WHERE workspace = ?", [.text(workspace)])
        guard count < Snapshot.maxPerWorkspace else {
            throw Problem(
                status: 409, code: "too-many-snapshots", title: "Too many snapshots",
                detail: "A workspace can have \(Snapshot.maxPerWorkspace). Delete one first.")
        }
        return try await stateStore.withLock(on: instances) {
            try await performingFirst()
            var bodies: [JSON] = []
            var apps: [String] = []
            for instance in instances {
                let app = try self.app(instance)
                let (_, persisted, _) = try await stateStore.loadLocked(instance, app)
                // An app that was never started has no state.
                guard persisted.rowID != nil else { continue }
                try persisted.checkReadable(instance, app)
                let transient = stateStore.updateTransient(instance) { $0 }
                guard let transient else { continue }
                apps.append(app.id)
                bodies.append(AppStateSnapshot.makeJSON(persisted, transient, of: app))
            }
            let body = JSON.array(bodies).description
            guard body.utf8.count <= Snapshot.maxByteCount else {
                throw Problem(
                    status: 413, code: "snapshot-too-large", title: "Snapshot too large",
                    detail: "The device's part would have \(body.utf8.count) bytes (max "
                        + "\(Snapshot.maxByteCount)). Take a snapshot of a single app.")
            }
            let snapshot = Snapshot(
                id: id, sequence: 0, workspace: workspace, name: name, device: device, app: app,
                apps: apps, contracts: contracts, createdAt: now, byteCount: body.utf8.count)
            let sealed = try stateStore.sealer.sealThrowingProblems(body)
            try await database.writeThrowingProblems { connection in
                try snapshot.insert(sealedBody: sealed, connection)
            }
            return try await self.snapshot(id, in: workspace) ?? snapshot
        }
    }

    /// A page of a workspace's snapshots, newest first.
    package func snapshots(in workspace: String, name: String? = nil, at keyset: Keyset = Keyset())
        async throws -> KeysetPage<Snapshot>
    {
        try await database.readThrowingProblems { connection in
            try connection.page(
                keyset, by: "sequence", Snapshot.columns, from: "snapshots",
                where: ["workspace = ?": .text(workspace), "name = ?": .text(name)], Snapshot.init)
        }
    }

    package func snapshot(_ id: String, in workspace: String) async throws -> Snapshot? {
        try await database.row(
            "SELECT \(Snapshot.columns) FROM snapshots WHERE id = ? AND workspace = ?",
            [.text(id), .text(workspace)], Snapshot.init)
    }

    /// Restores a device, all its apps in one transaction. `performingFirst` runs before it, while
    /// the device is locked. The restore is recorded before `performingFirst` and until the
    /// transaction, so that `interruptedRestores` returns it at the next start after a kill.
    ///
    /// Throws a `Problem`, and changes nothing, if the snapshot, its workspace or its device was
    /// deleted, or if an app or its screen is no longer in a manifest.
    package func restore(
        _ snapshot: Snapshot, cause: Int64? = nil, performingFirst: () async throws -> Void
    ) async throws {
        // The server's half is restored for all devices: two concurrent restores would mix their
        // halves.
        await restoreLock.lock(snapshot.workspace)
        defer { restoreLock.unlock(snapshot.workspace) }
        try requireWorkspace(snapshot.workspace)
        let body = try await database.text(
            "SELECT body FROM snapshots WHERE id = ?", [.text(snapshot.id)])
        guard let body else { throw Problem.unknownSnapshot(snapshot.id) }
        guard try await device(snapshot.device, in: snapshot.workspace) != nil else {
            throw Problem(
                status: 409, code: "device-gone", title: "The snapshot's device was deleted",
                detail: "The device \(snapshot.device.prefix(40)) is no longer in this "
                    + "workspace, so nothing can be restored on it.")
        }
        let targets = try await restoreTargets(snapshot, body)
        try await stateStore.withLock(on: targets.map(\.instance)) {
            let exists = try await database.writeThrowingProblems { connection in
                try RestoreTable.begin(snapshot.id, connection)
            }
            guard exists else { throw Problem.unknownSnapshot(snapshot.id) }
            do {
                try await performingFirst()
                try await stateStore.restore(targets, cause: cause, ending: snapshot.id)
            } catch {
                // The caller gets the error and can retry. The next start must not restore on its
                // own, after all that happens until then.
                do { try await cancelRestore(of: snapshot.id) } catch {
                    world.log(
                        "snapshots: \(snapshot.id) will be restored at the "
                            + "next start: \(logMessage(for: error))")
                }
                // The workspace was deleted meanwhile, with its snapshots.
                try requireWorkspace(snapshot.workspace)
                throw error
            }
        }
    }

    /// Snapshots whose restore a kill of the process interrupted.
    package func interruptedRestores() async throws -> [Snapshot] {
        try await database.rows(
            """
            SELECT \(Snapshot.columns) FROM snapshots
            WHERE id IN (SELECT snapshot FROM restores) ORDER BY sequence
            """, [], Snapshot.init)
    }

    /// Removes the record of a running restore, however far it got.
    package func cancelRestore(of id: String) async throws {
        try await database.writeThrowingProblems { try RestoreTable.end(id, $0) }
    }

    /// Waits for a running restore in the workspace.
    package func delete(snapshot id: String, in workspace: String) async throws {
        await restoreLock.lock(workspace)
        defer { restoreLock.unlock(workspace) }
        try await database.writeThrowingProblems {
            try $0.run("DELETE FROM snapshots WHERE id = ?", [.text(id)])
        }
    }

    /// Every snapshot's workspace, by the snapshot's id.
    package func workspacesBySnapshot() async throws -> [String: String] {
        let all = try await database.rows("SELECT id, workspace FROM snapshots") {
            ($0.text(0), $0.text(1))
        }
        return Dictionary(all, uniquingKeysWith: { $1 })
    }

    /// Restores an app on a device to its state at `event`, which happened there, and publishes it.
    /// Affects only the device, not its backend.
    ///
    /// Throws a `Problem` if that state is no longer stored.
    package func restoreState(at event: Event) async throws -> AppInstance {
        guard let device = event.device, let id = event.app else {
            throw Problem(
                status: 409, code: "no-device", title: "Not an event of a device",
                detail: "Only events of an app on a device can be restored.")
        }
        let instance = AppInstance(workspace: event.workspace, device: device, app: id)
        let (app, persisted) = try await persistedState(instance)
        guard let row = persisted.rowID,
            let body = try await stateHistory.state(rowID: row, at: event.id)
        else {
            throw Problem(
                status: 404, code: "state-not-stored", title: "State no longer stored",
                detail: "The newest 200 states of each app on a device are "
                    + "stored, starting with its first launch.")
        }
        let target = try AppStateSnapshot(body, of: instance, app: app)
        try await stateStore.withLock(on: [instance]) {
            try await stateStore.restore(
                [target],
                publishing: Event(
                    workspace: instance.workspace, kind: .stateRestored, app: instance.app,
                    device: instance.device, cause: event.id, subject: String(event.id),
                    title: "Restored to “\(event.title)”"))
        }
        return instance
    }

    /// Returns when the states until now are stored for restores, and their sessions are checked.
    package func flush() async {
        await sessionChecks.waitUntilIdle()
        await stateHistory.flush()
    }

    /// The snapshot's states, and the first state for apps started since.
    private func restoreTargets(_ snapshot: Snapshot, _ sealed: String) async throws
        -> [AppStateSnapshot]
    {
        let json = try JSON(parsing: try stateStore.sealer.openThrowingProblems(sealed))
        var targets: [AppStateSnapshot] = []
        for body in json.elements {
            let id = body["app"]?.string ?? ""
            guard let app = catalog.app(id) else {
                throw Problem(
                    status: 409, code: "app-gone", title: "The snapshot contains an unknown app",
                    detail: "No valid manifest has the id "
                        + "\(id.prefix(40)). Add it again, or delete the snapshot.")
            }
            let instance = AppInstance(
                workspace: snapshot.workspace, device: snapshot.device, app: id)
            targets.append(try AppStateSnapshot(body, of: instance, app: app))
        }
        let snapshotApps = Set(targets.map(\.instance.app))
        for instance in try instances(snapshot.device, snapshot.app, snapshot.workspace)
        where !snapshotApps.contains(instance.app) {
            let app = try app(instance)
            let state = try await stateStore.state(instance, app, allowsUnreadable: true)
            guard state.persisted.rowID != nil else { continue }
            targets.append(
                AppStateSnapshot(
                    instance: instance, app: app,
                    persisted: .firstStart(of: app, at: state.device.createdAt), transientJSON: nil)
            )
        }
        return targets
    }

    /// The instance of one app on a device, or of every app.
    private func instances(_ device: String, _ app: String?, _ workspace: String) throws(Problem)
        -> [AppInstance]
    {
        if let app, catalog.app(app) == nil { throw Problem.unknownApp(app) }
        let ids = app.map { [$0] } ?? catalog.apps.map(\.id)
        return ids.map { AppInstance(workspace: workspace, device: device, app: $0) }
    }
}

extension Problem {
    package static func unknownSnapshot(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-snapshot", title: "Unknown snapshot",
            detail: "No snapshot of this workspace has the id \(id.prefix(40)).",
            apiHint: "GET /api/snapshots lists them.")
    }
}
