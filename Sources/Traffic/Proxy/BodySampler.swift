import Synchronization
import Web

/// Observes a body stream: retains its first bytes and counts the rest.
final class BodySampler: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        var sample: [UInt8] = []
        var length = 0
    }

    /// Retains at most `limit` bytes.
    init(limit: Int) { self.limit = limit }

    /// The retained bytes.
    var sample: [UInt8] { state.withLock { $0.sample } }

    /// The number of bytes observed.
    var length: Int { state.withLock { $0.length } }

    /// Whether the sample is the complete body observed so far.
    var isComplete: Bool { state.withLock { $0.length == $0.sample.count } }

    func add(_ bytes: [UInt8]) {
        state.withLock { state in
            state.length += bytes.count
            let room = limit - state.sample.count
            if room > 0 { state.sample += bytes.prefix(room) }
        }
    }

    /// Returns the same body stream, observed as it is read.
    func sampling(_ bodyStream: BodyStream) -> BodyStream {
        BodyStream(
            length: bodyStream.length,
            next: { [self] in
                let chunk = await bodyStream.next()
                if case .bytes(let bytes) = chunk { add(bytes) }
                return chunk
            }, cancel: { bodyStream.cancel() })
    }
}
