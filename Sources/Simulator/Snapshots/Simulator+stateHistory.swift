import Apps
package import Core
import SQLite
import Web

extension Simulator {
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
                publishing: EventDraft(
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
}
