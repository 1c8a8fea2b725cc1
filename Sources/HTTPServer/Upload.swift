import Synchronization
import Web

/// The bytes between a client that sends a body and whoever reads it as it
/// comes.
///
/// A thread of libmicrohttpd brings them. When too many wait the connection is
/// suspended under the same lock that says so: no reader can resume it before.
final class Upload: Sendable {
    private let wire: Wire
    private let length: Int?
    private let bound: Int
    private let state = Mutex(State())

    private struct State {
        var bytes: [UInt8] = []
        var end: Inflow.Piece?
        /// Suspended until somebody reads.
        var isHeld = false
        /// Nobody reads any more: what still comes is dropped.
        var isIgnored = false
        var dropped = 0
        var taker: CheckedContinuation<Inflow.Piece, Never>?
    }

    /// What a client may send that nobody wants any more, so that it hears
    /// the answer (libmicrohttpd gives none before a body's end).
    private static let patience = 64 << 20

    /// `bound` bytes may wait.
    init(wire: Wire, length: Int?, bound: Int) {
        self.wire = wire
        self.length = length
        self.bound = bound
    }

    /// Whether it waits for its reader, not for its client.
    var isHeld: Bool { state.withLock(\.isHeld) }

    var inflow: Inflow {
        Inflow(length: length, next: { [self] in await next() }, cancel: { [self] in ignore() })
    }

    // MARK: On libmicrohttpd's threads

    /// Takes a piece, and suspends the connection if that is enough for now.
    /// False ends the connection.
    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, taker) = state.withLock { state in
            if state.isIgnored {
                state.dropped += piece.count
                return (state.dropped <= Self.patience, nil as Taker?)
            }
            if let taker = state.taker {
                state.taker = nil
                return (true, taker)
            }
            state.bytes.append(contentsOf: piece)
            if state.bytes.count >= bound {
                state.isHeld = true
                wire.suspend()
            }
            return (true, nil)
        }
        taker?.resume(returning: .bytes(Array(piece)))
        return isTaken
    }

    /// The body is whole.
    func finish() { end(.end) }

    // MARK: Elsewhere

    /// The client is gone, or sends no more.
    func abandon() { end(.broken) }

    /// What still comes is nobody's business; afterwards the connection is
    /// not suspended, and will not be again.
    func ignore() {
        let taker = state.withLock { state in
            state.isIgnored = true
            state.bytes = []
            release(&state)
            if state.end == nil { state.end = .broken }
            return state.taker.take()
        }
        taker?.resume(returning: .broken)
    }

    private typealias Taker = CheckedContinuation<Inflow.Piece, Never>

    private func end(_ end: Inflow.Piece) {
        let taker = state.withLock { state in
            if state.end == nil { state.end = end }
            if end == .broken {
                state.isIgnored = true
                release(&state)
            }
            return state.taker.take()
        }
        taker?.resume(returning: end)
    }

    private func next() async -> Inflow.Piece {
        await withCheckedContinuation { taker in
            let piece: Inflow.Piece? = state.withLock { state in
                guard state.bytes.isEmpty else {
                    defer {
                        state.bytes = []
                        release(&state)
                    }
                    return .bytes(state.bytes)
                }
                if state.end == nil { state.taker = taker }
                return state.end
            }
            if let piece { taker.resume(returning: piece) }
        }
    }

    private func release(_ state: inout State) {
        guard state.isHeld else { return }
        state.isHeld = false
        wire.resume()
    }
}
