import Apps
import Backend
import Core
import Simulator

/// Takes, restores and deletes snapshots: a device's state and the backend's data under one id.
///
/// The backend part is written first, so that a crash in between leaves a part that is not listed;
/// the next start deletes it.
struct Snapshots: Sendable {
    let services: Services

    /// Takes a snapshot of one app on a device, or of all, with the embedded contracts they use.
    func take(_ name: String, ofDevice device: String, app: String?, in workspace: String)
        async throws -> Snapshot
    {
        let scope = try await services.simulator.snapshotScope(
            ofDevice: device, app: app, in: workspace)
        let contracts = Set(
            scope.compactMap { services.appCatalog.contract(ofBackend: $0.backend, app: $0.app) }
        ).sorted()
        let id = services.world.makeID("snap")
        let snapshot: Snapshot
        do {
            snapshot = try await services.simulator.takeSnapshot(
                id, name: name, ofDevice: device, app: app, contracts: contracts, in: workspace
            ) {
                try await services.backend.save(
                    snapshot: id, contracts: contracts, workspace: workspace)
            }
        } catch {
            do { try await services.backend.delete(snapshot: id) } catch {
                services.world.log(
                    "snapshots: backend data of \(id) remains until the next start: "
                        + "\(type(of: error))"
                )
            }
            throw error
        }
        publishEvent(.snapshotCreated, snapshot, "Snapshot “\(name)” created")
        return snapshot
    }

    /// Restores both parts. Returns a note on the consequences.
    func restore(_ snapshot: Snapshot) async throws -> String {
        try await SnapshotCoordinator.restore(snapshot, services.simulator, services.backend)
        publishEvent(.snapshotRestored, snapshot, "Snapshot “\(snapshot.name)” restored")
        return try await RestoreNote(services: services).text(snapshot)
    }

    func delete(_ snapshot: Snapshot) async throws {
        try await services.simulator.delete(snapshot: snapshot.id, in: snapshot.workspace)
        try await services.backend.delete(snapshot: snapshot.id)
        publishEvent(.snapshotRemoved, snapshot, "Snapshot “\(snapshot.name)” deleted")
    }

    private func publishEvent(_ kind: Event.Kind, _ snapshot: Snapshot, _ title: String) {
        services.hub.publish(snapshot.eventDraft(kind, title))
    }
}

extension Snapshot {
    /// An event about the snapshot.
    func eventDraft(_ kind: Event.Kind, _ title: String) -> EventDraft {
        EventDraft(
            workspace: workspace, kind: kind, app: app, device: device, subject: id, title: title,
            details: ["name": name])
    }
}
