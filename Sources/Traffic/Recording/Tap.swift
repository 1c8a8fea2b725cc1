import Synchronization
package import Web

/// Looks on while a body flows past: keeps its beginning and counts the rest.
package final class Tap: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var beginning: [UInt8] = []
        var length = 0
    }

    /// Keeps so many bytes.
    package init(keeping limit: Int) { self.limit = limit }

    /// What is kept.
    package var beginning: [UInt8] { state.withLock { $0.beginning } }

    /// Bytes that have passed.
    package var length: Int { state.withLock { $0.length } }

    /// Whether what is kept is everything.
    package var isWhole: Bool { state.withLock { $0.length == $0.beginning.count } }

    package func see(_ bytes: [UInt8]) {
        state.withLock { state in
            state.length += bytes.count
            let room = limit - state.beginning.count
            if room > 0 { state.beginning += bytes.prefix(room) }
        }
    }

    /// The same body, looked at.
    package func on(_ flow: Inflow) -> Inflow {
        Inflow(
            length: flow.length,
            next: { [self] in
                let piece = await flow.next()
                if case .bytes(let bytes) = piece { see(bytes) }
                return piece
            }, cancel: flow.cancel)
    }
}
