import Synchronization
package import Web

/// Looks on while a body flows past: keeps its beginning and counts the rest.
package final class BodySampler: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var sample: [UInt8] = []
        var length = 0
    }

    /// Keeps so many bytes.
    package init(limit: Int) { self.limit = limit }

    /// What is kept.
    package var sample: [UInt8] { state.withLock { $0.sample } }

    /// Bytes that have passed.
    package var length: Int { state.withLock { $0.length } }

    /// Whether what is kept is everything.
    package var isComplete: Bool { state.withLock { $0.length == $0.sample.count } }

    package func add(_ bytes: [UInt8]) {
        state.withLock { state in
            state.length += bytes.count
            let room = limit - state.sample.count
            if room > 0 { state.sample += bytes.prefix(room) }
        }
    }

    /// The same body, looked at.
    package func sampling(_ flow: BodyStream) -> BodyStream {
        BodyStream(
            length: flow.length,
            next: { [self] in
                let chunk = await flow.next()
                if case .bytes(let bytes) = chunk { add(bytes) }
                return chunk
            }, cancel: flow.cancel)
    }
}
