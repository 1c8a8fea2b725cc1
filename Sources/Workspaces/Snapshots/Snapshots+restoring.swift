import Backend
package import Core
package import Simulator
import Web

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
    package func restore(_ event: Event) async throws -> (place: AppInstance, note: String) {
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
                    throw Problem.serverPartMissing
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
    fileprivate static let serverPartMissing = Problem(
        status: 409, code: "incomplete-snapshot", title: "The snapshot's backend data is missing",
        detail: "The device's tokens would be unknown to the server. Delete the snapshot and take "
            + "another.")

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
