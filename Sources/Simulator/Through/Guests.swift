import Synchronization

/// The real apps that came by, each known by what it calls itself.
///
/// Only so many are told apart, or one that calls itself something else each
/// time would fill the list of devices.
final class Guests: Sendable {
    private let state = Mutex(State())

    private struct State {
        var names: [String: Set<String>] = [:]
        var ids: [String: String] = [:]
    }

    /// Clients of one app in one workspace with a device of their own.
    private static let bound = 16

    /// Ids remembered.
    private static let most = 1_000

    /// The name to go by: the client's own, or none if there are too many.
    func admit(_ client: String, _ place: String) -> String {
        state.withLock { state in
            if state.names[place]?.contains(client) == true { return client }
            guard state.names[place, default: []].count < Self.bound else { return "" }
            if state.names.count >= Self.most { state.names = [:] }
            state.names[place, default: []].insert(client)
            return client
        }
    }

    /// What `make` makes of `text`, made once.
    func id(_ text: String, _ make: () -> String) -> String {
        if let id = state.withLock({ $0.ids[text] }) { return id }
        let id = make()
        state.withLock { state in
            if state.ids.count >= Self.most { state.ids = [:] }
            state.ids[text] = id
        }
        return id
    }
}
