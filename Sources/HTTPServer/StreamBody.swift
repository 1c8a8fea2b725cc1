import CMicrohttpd
import Dispatch
import Synchronization
import Web

/// The bytes between a stream of ours and a client that reads them.
///
/// The pump (a task) writes, a thread of libmicrohttpd reads. When there is
/// nothing to read, the connection is suspended under the same lock that
/// marks it asleep: no writer can resume it before.
final class StreamBody: Sendable {
    private let wire: Wire
    private let limits: ServerConfiguration
    private let isEventStream: Bool
    private let patience: Duration
    /// Bytes in all, where that was told; libmicrohttpd does not ask for more.
    private let length: Int?
    private let state: Mutex<State>

    private struct State {
        var bytes: [UInt8] = []
        /// How many of `bytes` have been read.
        var taken = 0
        /// How many have been read in all.
        var read = 0
        var isAsleep = false
        var end: End?
        /// The pump, waiting for room since then.
        var room: CheckedContinuation<Void, Never>?
        var fullSince: ContinuousClock.Instant?
        var lastWrite: ContinuousClock.Instant
        var pump: Task<Void, Never>?

        var waiting: Int { bytes.count - taken }
    }

    /// How a stream ends: properly, or by ending the connection, after what
    /// had come before it broke off or at once.
    private enum End { case complete, torn, broken }

    init(
        wire: Wire, limits: ServerConfiguration, isEventStream: Bool, patience: Duration,
        length: Int? = nil
    ) {
        self.patience = patience
        self.length = length
        self.wire = wire
        self.limits = limits
        self.isEventStream = isEventStream
        state = Mutex(State(lastWrite: .now))
    }

    /// Starts to carry `stream` over; cancelled when the client has left.
    func pump(_ stream: some AsyncSequence<[UInt8], Never> & Sendable) {
        let task = Task { [self] in
            for await chunk in stream {
                if await write(chunk) { continue }
                // A stream learns of its end inside `next` only: it is asked
                // once more, by a task that is surely cancelled.
                withUnsafeCurrentTask { $0?.cancel() }
            }
            finish()
        }
        keep(task)
    }

    /// Starts to carry `flow` over; told when the client has left.
    func pump(_ flow: Inflow) {
        let task = Task { [self] in
            await withTaskCancellationHandler {
                while true {
                    switch await flow.next() {
                    case .bytes(let chunk): if await !write(chunk) { return flow.cancel() }
                    case .end:
                        rest()
                        return finish()
                    case .broken:
                        rest()
                        return end(.torn)
                    }
                }
            } onCancel: {
                flow.cancel()
            }
        }
        keep(task)
    }

    /// The pump came to an end by itself: there is nothing to cancel.
    private func rest() { state.withLock { $0.pump = nil } }

    private func keep(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.pump = task
            return state.end != nil
        }
        if isOver { task.cancel() }
    }

    /// Puts `chunk` in line, when there is room; false if nobody reads any
    /// more. A chunk is taken whole, so the bound is passed by at most one.
    private func write(_ chunk: [UInt8]) async -> Bool {
        while true {
            let isTaken: Bool? = state.withLock { state in
                guard state.end == nil else { return false }
                guard state.waiting < limits.streamBuffer else { return nil }
                append(chunk, to: &state)
                return true
            }
            if let isTaken { return isTaken }
            await room()
        }
    }

    /// Returns when the reader has made room, or has left.
    private func room() async {
        await withCheckedContinuation { continuation in
            let isRoom = state.withLock { state in
                if state.end != nil || state.waiting < limits.streamBuffer { return true }
                state.room = continuation
                if state.fullSince == nil { state.fullSince = .now }
                return false
            }
            if isRoom { continuation.resume() }
        }
    }

    /// The stream is over: what waits is still read, then the answer ends.
    func finish() { end(.complete) }

    /// The connection is lost or not worth keeping.
    ///
    /// Nothing is lost with it if all was read before: then whoever writes
    /// comes to its own end.
    func abandon() {
        let isWhole = state.withLock { $0.read == length }
        if !isWhole { end(.broken) }
    }

    private func end(_ end: End) {
        let (room, pump) = state.withLock { state in
            if state.end == nil || end == .broken { state.end = end }
            wake(&state)
            defer {
                state.room = nil
                state.fullSince = nil
            }
            return (state.room, state.pump)
        }
        pump?.cancel()
        room?.resume()
    }

    /// On a thread of libmicrohttpd: fills `buffer`, or suspends.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, room) = state.withLock { state in
            if state.end == .broken { return (Int(foyer_mhd_end_with_error), nil as Room?) }
            let count = min(buffer.count, state.waiting)
            guard count > 0 else {
                if let end = state.end {
                    let isWhole = end == .complete
                    return (Int(isWhole ? foyer_mhd_end : foyer_mhd_end_with_error), nil)
                }
                state.isAsleep = true
                wire.suspend()
                return (0, nil)
            }
            return (count, take(count, into: buffer, from: &state))
        }
        room?.resume()
        return count
    }

    private typealias Room = CheckedContinuation<Void, Never>

    /// The pump, if there is room for it again.
    private func take(
        _ count: Int, into buffer: UnsafeMutableRawBufferPointer, from state: inout State
    ) -> Room? {
        state.bytes[state.taken..<(state.taken + count)].withUnsafeBytes {
            buffer.copyMemory(from: $0)
        }
        state.taken += count
        state.read += count
        if state.waiting == 0 {
            // An idle listener keeps no large buffer.
            state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= 4096)
            state.taken = 0
        }
        guard state.waiting <= limits.streamBuffer / 2 else { return nil }
        defer {
            state.room = nil
            state.fullSince = nil
        }
        return state.room
    }

    /// Once in a while: a sign of life to a silent event stream. True if the
    /// reader has not read for too long.
    func tick(_ now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard state.end == nil else { return false }
            if isEventStream, state.waiting == 0,
                state.lastWrite.advanced(by: limits.heartbeat) <= now
            {
                append([0x3A, 0x20, 0x0A, 0x0A], to: &state)
            }
            guard let since = state.fullSince else { return false }
            return since.advanced(by: patience) <= now
        }
    }

    private func append(_ chunk: [UInt8], to state: inout State) {
        // Moving the rest each time would cost more than the space.
        if state.taken > state.bytes.count / 2 {
            state.bytes.removeFirst(state.taken)
            state.taken = 0
        }
        state.bytes += chunk
        state.lastWrite = .now
        if !chunk.isEmpty { wake(&state) }
    }

    /// Under the lock, so that who holds it knows: not asleep, not suspended.
    private func wake(_ state: inout State) {
        guard state.isAsleep else { return }
        state.isAsleep = false
        wire.resume()
    }
}
