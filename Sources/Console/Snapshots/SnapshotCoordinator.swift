package import Backend
package import Core
package import Simulator
import Web

/// The two halves of a snapshot, which are in two databases: put back
/// together, and after a kill between them brought together again.
package enum SnapshotCoordinator {
    /// Puts the server's half back, then the device's.
    static func restore(_ snapshot: Snapshot, _ simulator: Simulator, _ backend: EmbeddedBackend)
        async throws
    {
        var isServerBack = false
        do {
            try await simulator.restore(snapshot) {
                isServerBack = try await backend.restore(snapshot: snapshot.id)
                guard isServerBack || snapshot.contracts.isEmpty else {
                    throw Problem.serverPartMissing
                }
            }
        } catch {
            // Of a workspace that is gone no half is left.
            guard isServerBack, simulator.hasWorkspace(snapshot.workspace) else { throw error }
            throw Problem.partiallyRestored(error)
        }
    }

    /// Finishes what a kill left half put back, and clears away every half
    /// without its other; called at the start, before anybody can ask.
    package static func recover(
        _ simulator: Simulator, _ backend: EmbeddedBackend, hub: EventHub, world: World
    ) async throws {
        for snapshot in try await simulator.interruptedRestores() {
            do {
                try await restore(snapshot, simulator, backend)
                hub.publish(
                    snapshot.eventDraft(
                        .snapshotRestored,
                        "Snapshot “\(snapshot.name)” was put back, as begun before the restart"
                    ))
            } catch {
                let reason = (error as? Problem)?.title ?? "\(type(of: error))"
                world.log(
                    "snapshots: \(snapshot.id) was put back by half before "
                        + "the restart, and the rest cannot be: \(reason)")
                try await simulator.cancelRestore(of: snapshot.id)
            }
        }
        let devices = try await simulator.workspacesBySnapshot()
        let server = try await backend.snapshotIDs()
        for (id, workspace) in devices where !server.contains(id) {
            try await simulator.delete(snapshot: id, in: workspace)
        }
        for id in server where devices[id] == nil { try await backend.delete(snapshot: id) }
    }
}

extension Problem {
    fileprivate static let serverPartMissing = Problem(
        status: 409, code: "half-missing", title: "The server's half of the snapshot is gone",
        detail: "The device alone would hold tokens the server does not "
            + "know. Delete it and take another.")

    /// `error` came between the halves.
    fileprivate static func partiallyRestored(_ error: any Error) -> Problem {
        let told = error as? Problem
        return Problem(
            status: told?.status ?? 500, code: "half-restored",
            title: "Only the server's half was put back",
            detail: "The device's could not be written, so its tokens may be "
                + "none the server knows. Put the snapshot back again. " + (told?.detail ?? ""))
    }
}
