import Core
import Simulator

extension Services {
    /// Puts an app on a device back to an event and says what it means.
    func restore(_ event: Event) async throws -> (place: AppInstance, note: String) {
        let instance = try await simulator.restoreState(at: event)
        return (instance, try await RestoreNote(services: self).text(instance))
    }
}
