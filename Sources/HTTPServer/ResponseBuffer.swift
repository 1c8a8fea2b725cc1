import CMicrohttpd
import Dispatch
import Synchronization
import Web

/// The bytes between a stream of ours and a client that reads them.
///
/// The pump (a task) writes, a thread of libmicrohttpd reads. When there is
/// nothing to read, the connection is suspended under the same lock that
/// marks it asleep: no writer can resume it before.
final class ResponseBuffer: Sendable {
    private let handle: ConnectionHandle
    private let limits: ServerConfiguration
    private let isEventStream: Bool
    private let stallTimeout: Duration
    /// Bytes in all, where that was told; libmicrohttpd does not ask for more.
    private let length: Int?
    private let state: Mutex<State>

    private struct State {
        var bytes: [UInt8] = []
        /// How many of `bytes` have been read.
        var readOffset = 0
        /// How many have been read in all.
        var totalRead = 0
        var isSuspended = false
        var end: End?
        /// The pump, waiting for room since then.
        var spaceWaiter: CheckedContinuation<Void, Never>?
        var fullSince: ContinuousClock.Instant?
        var lastWrite: ContinuousClock.Instant
        var pumpTask: Task<Void, Never>?

        var pendingCount: Int { bytes.count - readOffset }
    }

    /// How a stream ends: properly, or by ending the connection, after what
    /// had come before it broke off or at once.
    private enum End { case complete, truncated, aborted }

    init(
        handle: ConnectionHandle, limits: ServerConfiguration, isEventStream: Bool,
        stallTimeout: Duration,
        length: Int? = nil
    ) {
        self.stallTimeout = stallTimeout
        self.length = length
        self.handle = handle
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
        storePumpTask(task)
    }

    /// Starts to carry `flow` over; told when the client has left.
    func pump(_ flow: BodyStream) {
        let task = Task { [self] in
            await withTaskCancellationHandler {
                while true {
                    switch await flow.next() {
                    case .bytes(let chunk): if await !write(chunk) { return flow.cancel() }
                    case .end:
                        clearPumpTask()
                        return finish()
                    case .aborted:
                        clearPumpTask()
                        return end(.truncated)
                    }
                }
            } onCancel: {
                flow.cancel()
            }
        }
        storePumpTask(task)
    }

    /// The pump came to an end by itself: there is nothing to cancel.
    private func clearPumpTask() { state.withLock { $0.pumpTask = nil } }

    private func storePumpTask(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            state.pumpTask = task
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
                guard state.pendingCount < limits.streamBufferSize else { return nil }
                append(chunk, to: &state)
                return true
            }
            if let isTaken { return isTaken }
            await waitForSpace()
        }
    }

    /// Returns when the reader has made room, or has left.
    private func waitForSpace() async {
        await withCheckedContinuation { continuation in
            let isRoom = state.withLock { state in
                if state.end != nil || state.pendingCount < limits.streamBufferSize { return true }
                state.spaceWaiter = continuation
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
    func abort() {
        let isWhole = state.withLock { $0.totalRead == length }
        if !isWhole { end(.aborted) }
    }

    private func end(_ end: End) {
        let (room, pump) = state.withLock { state in
            if state.end == nil || end == .aborted { state.end = end }
            resumeIfSuspended(&state)
            defer {
                state.spaceWaiter = nil
                state.fullSince = nil
            }
            return (state.spaceWaiter, state.pumpTask)
        }
        pump?.cancel()
        room?.resume()
    }

    /// On a thread of libmicrohttpd: fills `buffer`, or suspends.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, room) = state.withLock { state in
            if state.end == .aborted { return (Int(foyer_mhd_end_with_error), nil as SpaceWaiter?) }
            let count = min(buffer.count, state.pendingCount)
            guard count > 0 else {
                if let end = state.end {
                    let isWhole = end == .complete
                    return (Int(isWhole ? foyer_mhd_end : foyer_mhd_end_with_error), nil)
                }
                state.isSuspended = true
                handle.suspend()
                return (0, nil)
            }
            return (count, copyOut(count, into: buffer, from: &state))
        }
        room?.resume()
        return count
    }

    private typealias SpaceWaiter = CheckedContinuation<Void, Never>

    /// The pump, if there is room for it again.
    private func copyOut(
        _ count: Int, into buffer: UnsafeMutableRawBufferPointer, from state: inout State
    ) -> SpaceWaiter? {
        state.bytes[state.readOffset..<(state.readOffset + count)].withUnsafeBytes {
            buffer.copyMemory(from: $0)
        }
        state.readOffset += count
        state.totalRead += count
        if state.pendingCount == 0 {
            // An idle listener keeps no large buffer.
            state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= 4096)
            state.readOffset = 0
        }
        guard state.pendingCount <= limits.streamBufferSize / 2 else { return nil }
        defer {
            state.spaceWaiter = nil
            state.fullSince = nil
        }
        return state.spaceWaiter
    }

    /// Once in a while: a sign of life to a silent event stream. True if the
    /// reader has not read for too long.
    func tick(_ now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard state.end == nil else { return false }
            if isEventStream, state.pendingCount == 0,
                state.lastWrite.advanced(by: limits.heartbeatInterval) <= now
            {
                append([0x3A, 0x20, 0x0A, 0x0A], to: &state)
            }
            guard let since = state.fullSince else { return false }
            return since.advanced(by: stallTimeout) <= now
        }
    }

    private func append(_ chunk: [UInt8], to state: inout State) {
        // Moving the rest each time would cost more than the space.
        if state.readOffset > state.bytes.count / 2 {
            state.bytes.removeFirst(state.readOffset)
            state.readOffset = 0
        }
        state.bytes += chunk
        state.lastWrite = .now
        if !chunk.isEmpty { resumeIfSuspended(&state) }
    }

    /// Under the lock, so that who holds it knows: not asleep, not suspended.
    private func resumeIfSuspended(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        handle.resume()
    }
}
