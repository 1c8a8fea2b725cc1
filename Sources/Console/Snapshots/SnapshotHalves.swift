package import Backend
package import Simulator
package import Surroundings
import Web

/// The two halves of a snapshot, which are in two databases: put back
/// together, and after a kill between them brought together again.
package enum SnapshotHalves {
    /// Puts the server's half back, then the device's.
    static func putBack(_ snapshot: Snapshot, _ simulator: Simulator, _ backend: EmbeddedBackend)
        async throws
    {
        var isServerBack = false
        do {
            try await simulator.restore(snapshot) {
                isServerBack = try await backend.restore(snapshot: snapshot.id)
                guard isServerBack || snapshot.contracts.isEmpty else { throw Problem.halfMissing }
            }
        } catch {
            // Of a workspace that is gone no half is left.
            guard isServerBack, simulator.hasWorkspace(snapshot.workspace) else { throw error }
            throw Problem.halfRestored(error)
        }
    }

    /// Finishes what a kill left half put back, and clears away every half
    /// without its other; called at the start, before anybody can ask.
    package static func settle(
        _ simulator: Simulator, _ backend: EmbeddedBackend, hub: EventHub, world: World
    ) async throws {
        for snapshot in try await simulator.halfRestored() {
            do {
                try await putBack(snapshot, simulator, backend)
                hub.publish(
                    snapshot.draft(
                        .snapshotRestored,
                        "Snapshot “\(snapshot.name)” was put back, as begun before the restart"
                    ))
            } catch {
                let why = (error as? Problem)?.title ?? "\(type(of: error))"
                world.log(
                    "snapshots: \(snapshot.id) was put back by half before "
                        + "the restart, and the rest cannot be: \(why)")
                try await simulator.giveUp(restoring: snapshot.id)
            }
        }
        let devices = try await simulator.snapshotWorkspaces()
        let server = try await backend.snapshotIDs()
        for (id, workspace) in devices where !server.contains(id) {
            try await simulator.delete(snapshot: id, in: workspace)
        }
        for id in server where devices[id] == nil { try await backend.forget(snapshot: id) }
    }
}

extension Problem {
    fileprivate static let halfMissing = Problem(
        status: 409, code: "half-missing", title: "The server's half of the snapshot is gone",
        detail: "The device alone would hold tokens the server does not "
            + "know. Delete it and take another.")

    /// `error` came between the halves.
    fileprivate static func halfRestored(_ error: any Error) -> Problem {
        let told = error as? Problem
        return Problem(
            status: told?.status ?? 500, code: "half-restored",
            title: "Only the server's half was put back",
            detail: "The device's could not be written, so its tokens may be "
                + "none the server knows. Put the snapshot back again. " + (told?.detail ?? ""))
    }
}
