package import Apps
package import Backend
package import Core
package import Simulator

/// Takes, restores and deletes snapshots: a device's state and the backend's data under one id.
///
/// The backend part is written first, so that a crash in between leaves a part that is not listed;
/// the next start deletes it.
package struct Snapshots: Sendable {
    let simulator: Simulator
    let backend: EmbeddedBackend
    let catalog: AppCatalog
    let hub: EventHub
    let world: World

    package init(
        simulator: Simulator, backend: EmbeddedBackend, catalog: AppCatalog, hub: EventHub,
        world: World
    ) {
        self.simulator = simulator
        self.backend = backend
        self.catalog = catalog
        self.hub = hub
        self.world = world
    }

    /// Takes a snapshot of one app on a device, or of all, with the embedded contracts they use.
    package func take(_ name: String, ofDevice device: String, app: String?, in workspace: String)
        async throws -> Snapshot
    {
        let scope = try await simulator.snapshotScope(ofDevice: device, app: app, in: workspace)
        let contracts = Set(
            scope.compactMap { catalog.contract(ofBackend: $0.backend, app: $0.app) }
        ).sorted()
        let id = world.makeID("snap")
        let snapshot: Snapshot
        do {
            snapshot = try await simulator.takeSnapshot(
                id, name: name, ofDevice: device, app: app, contracts: contracts, in: workspace
            ) { try await backend.save(snapshot: id, contracts: contracts, workspace: workspace) }
        } catch {
            do { try await backend.delete(snapshot: id) } catch {
                world.log(
                    "snapshots: backend data of \(id) remains until the next start: "
                        + "\(type(of: error))")
            }
            throw error
        }
        publishEvent(.snapshotCreated, snapshot, "Snapshot “\(name)” created")
        return snapshot
    }

    /// Deletes both parts.
    package func delete(_ snapshot: Snapshot) async throws {
        try await simulator.delete(snapshot: snapshot.id, in: snapshot.workspace)
        try await backend.delete(snapshot: snapshot.id)
        publishEvent(.snapshotRemoved, snapshot, "Snapshot “\(snapshot.name)” deleted")
    }

    func publishEvent(_ kind: Event.Kind, _ snapshot: Snapshot, _ title: String) {
        hub.publish(
            EventDraft(
                workspace: snapshot.workspace, kind: kind, app: snapshot.app,
                device: snapshot.device, subject: snapshot.id, title: title,
                details: ["name": snapshot.name]))
    }
}
