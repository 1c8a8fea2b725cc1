import Simulator
import Surroundings

extension Services {
    /// Puts an app on a device back to an event, tells it, and says what it
    /// means.
    func restore(
        _ event: Event
    ) async throws -> (place: Place, note: String) {
        let place = try await simulator.restore(event)
        hub.publish(
            EventDraft(
                workspace: place.workspace, kind: .momentRestored,
                app: place.app, device: place.device, cause: event.id,
                subject: String(event.id),
                title: "Put back to “\(event.title)”"))
        return (place, try await RestoreNote(services: self).of(place))
    }
}
