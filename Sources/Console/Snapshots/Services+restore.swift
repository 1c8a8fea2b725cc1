import Core
import Simulator

extension Services {
    /// Restores an app on a device to an event, with a note on the consequences.
    func restore(_ event: Event) async throws -> (place: AppInstance, note: String) {
        let instance = try await simulator.restoreState(at: event)
        return (instance, try await RestoreNote(services: self).text(instance))
    }
}
