import Synchronization

/// The real apps that came by, each known by what it calls itself.
///
/// Only so many are told apart, or one that calls itself something else each
/// time would fill the list of devices.
final class ClientDevices: Sendable {
    private let state = Mutex(State())

    private struct State {
        var clientNames: [String: Set<String>] = [:]
        var deviceIDs: [String: String] = [:]
    }

    /// Clients of one app in one workspace with a device of their own.
    private static let maxClientsPerApp = 16

    /// Ids remembered.
    private static let maxEntries = 1_000

    /// The name to go by: the client's own, or none if there are too many.
    func register(_ client: String, _ place: String) -> String {
        state.withLock { state in
            if state.clientNames[place]?.contains(client) == true { return client }
            guard state.clientNames[place, default: []].count < Self.maxClientsPerApp else {
                return ""
            }
            if state.clientNames.count >= Self.maxEntries { state.clientNames = [:] }
            state.clientNames[place, default: []].insert(client)
            return client
        }
    }

    /// What `make` makes of `text`, made once.
    func deviceID(_ text: String, _ make: () -> String) -> String {
        if let id = state.withLock({ $0.deviceIDs[text] }) { return id }
        let id = make()
        state.withLock { state in
            if state.deviceIDs.count >= Self.maxEntries { state.deviceIDs = [:] }
            state.deviceIDs[text] = id
        }
        return id
    }
}
