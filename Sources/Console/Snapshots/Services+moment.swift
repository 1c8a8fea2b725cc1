import Simulator
import Surroundings

extension Services {
    /// Puts an app on a device back to an event and says what it means.
    func restore(_ event: Event) async throws -> (place: Place, note: String) {
        let place = try await simulator.restore(event)
        return (place, try await RestoreNote(services: self).of(place))
    }
}
