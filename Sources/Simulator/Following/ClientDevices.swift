import Synchronization

/// Identifies the client apps that use the proxy by the name in their `User-Agent`.
///
/// The number of clients per app is limited; otherwise a client that changes its name with each
/// request would fill the list of devices.
final class ClientDevices: Sendable {
    private let state = Mutex(State())

    private struct State {
        var clientNames: [String: Set<String>] = [:]
        var deviceIDs: [String: String] = [:]
    }

    /// Clients of one app in one workspace with a device of their own.
    private static let maxClientsPerApp = 16

    /// Cached apps and device ids; when reached, the cache is cleared.
    private static let maxEntries = 1_000

    /// Returns the client's name, or an empty one if there are too many clients.
    func register(_ client: String, _ appKey: String) -> String {
        state.withLock { state in
            if state.clientNames[appKey]?.contains(client) == true { return client }
            guard state.clientNames[appKey, default: []].count < Self.maxClientsPerApp else {
                return ""
            }
            if state.clientNames.count >= Self.maxEntries { state.clientNames = [:] }
            state.clientNames[appKey, default: []].insert(client)
            return client
        }
    }

    /// Returns the result of `make` for `text`, cached.
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
