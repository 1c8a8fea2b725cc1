import Apps
import SQLite
package import Surroundings
import Web

extension Simulator {
    /// Puts an app on a device back to how it was at `event`, which happened
    /// there, and tells it. The device alone: no backend is asked or told.
    ///
    /// Throws a `Problem` if nothing that old is kept.
    package func restore(_ event: Event) async throws -> Place {
        guard let device = event.device, let id = event.app else {
            throw Problem(
                status: 409, code: "no-device", title: "This did not happen on a device",
                detail: "Only what an app on a device did can be put back.")
        }
        let place = Place(workspace: event.workspace, device: device, app: id)
        let app = try app(place)
        let row = try await cupboard.look(place, app, damaged: true).kept.row
        guard let row, let body = try await cupboard.moments.body(row: row, at: event.id) else {
            throw Problem(
                status: 404, code: "moment-not-kept", title: "How it was then is not kept",
                detail: "Of each app on a device the newest 200 states are "
                    + "kept, and none from before it was started.")
        }
        let wanted = try Restored(body, of: place, app: app)
        try await cupboard.still([place]) {
            try await cupboard.restore(
                [wanted],
                as: EventDraft(
                    workspace: place.workspace, kind: .momentRestored, app: place.app,
                    device: place.device, cause: event.id, subject: String(event.id),
                    title: "Put back to “\(event.title)”"))
        }
        return place
    }

    /// Returns when what happened until now can be put back after a kill, and
    /// its sessions were compared with their servers.
    package func flush() async {
        await checks.settle()
        await cupboard.moments.flush()
    }
}
