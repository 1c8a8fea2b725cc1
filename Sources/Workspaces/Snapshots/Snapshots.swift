package import Apps
package import Backend
package import Core
package import Simulator
import Web

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
            Event(
                workspace: snapshot.workspace, kind: kind, app: snapshot.app,
                device: snapshot.device, subject: snapshot.id, title: title,
                details: ["name": snapshot.name]))
    }
}

/// Restores the device and backend parts of a snapshot, which are in two databases, and repairs
/// them after a crash.
extension Snapshots {
    /// Restores both parts. Returns a note on the consequences.
    package func restore(_ snapshot: Snapshot) async throws -> String {
        try await restoreParts(of: snapshot)
        publishEvent(.snapshotRestored, snapshot, "Snapshot “\(snapshot.name)” restored")
        return try await note(afterRestoring: snapshot)
    }

    /// Restores an app on a device to an event. Returns the app with a note on the consequences.
    package func restore(_ event: Event) async throws -> (instance: AppInstance, note: String) {
        let instance = try await simulator.restoreState(at: event)
        return (instance, try await note(afterRestoring: instance))
    }

    /// Restores the backend part, then the device part.
    private func restoreParts(of snapshot: Snapshot) async throws {
        var isBackendRestored = false
        do {
            try await simulator.restore(snapshot) {
                isBackendRestored = try await backend.restore(snapshot: snapshot.id)
                guard isBackendRestored || snapshot.contracts.isEmpty else {
                    throw Problem(
                        status: 409, code: "incomplete-snapshot",
                        title: "The snapshot's backend data is missing",
                        detail: "The device's tokens would be unknown to the server. Delete the "
                            + "snapshot and take another.")
                }
            }
        } catch {
            // A deleted workspace has no parts left to disagree.
            guard isBackendRestored, simulator.hasWorkspace(snapshot.workspace) else { throw error }
            throw Problem.partiallyRestored(error)
        }
    }

    /// Finishes restores interrupted by a crash and deletes parts without their counterpart; called
    /// at start, before any request.
    package func recover() async throws {
        for snapshot in try await simulator.interruptedRestores() {
            do {
                try await restoreParts(of: snapshot)
                publishEvent(
                    .snapshotRestored, snapshot,
                    "Snapshot “\(snapshot.name)” restored after a restart")
            } catch {
                let reason = (error as? Problem)?.title ?? "\(type(of: error))"
                world.log(
                    "snapshots: \(snapshot.id) was partially restored before the restart and "
                        + "cannot be completed: \(reason)")
                try await simulator.cancelRestore(of: snapshot.id)
            }
        }
        let deviceParts = try await simulator.workspacesBySnapshot()
        let backendParts = try await backend.snapshotIDs()
        for (id, workspace) in deviceParts where !backendParts.contains(id) {
            try await simulator.delete(snapshot: id, in: workspace)
        }
        for id in backendParts where deviceParts[id] == nil {
            try await backend.delete(snapshot: id)
        }
    }
}

extension Problem {
    /// `error` occurred after the backend part was restored.
    fileprivate static func partiallyRestored(_ error: any Error) -> Problem {
        let problem = error as? Problem
        return Problem(
            status: problem?.status ?? 500, code: "partially-restored", title: "Partially restored",
            detail: "The backend was restored, but the device could not be written, so its tokens "
                + "may be unknown to the server. " + "Restore the snapshot again. "
                + (problem?.detail ?? ""))
    }
}
