import CMicrohttpd
import Dispatch
import Synchronization
import Web

/// Buffer between a response stream and the client that reads it.
///
/// The pump (a task) writes, a thread of libmicrohttpd reads. When there is nothing to read, the
/// connection is suspended under the same lock that sets `isSuspended`, so that no writer can
/// resume it before.
final class ResponseBuffer: Sendable {
    private let handle: ConnectionHandle
    private let limits: ServerConfiguration
    private let isEventStream: Bool
    private let stallTimeout: Duration
    /// Total length in bytes, where it is known; libmicrohttpd does not ask for more.
    let length: Int?
    private let state: Mutex<State>

    private struct State {
        var bytes: [UInt8] = []
        /// How many of `bytes` have been read.
        var readOffset = 0
        /// How many have been read in total.
        var totalRead = 0
        var isSuspended = false
        var end: End?
        /// The pump, waiting for space since `fullSince`.
        var spaceWaiter: CheckedContinuation<Void, Never>?
        var fullSince: ContinuousClock.Instant?
        var lastWrite: ContinuousClock.Instant
        var pumpTask: Task<Void, Never>?

        var pendingCount: Int { bytes.count - readOffset }
    }

    /// How a stream ends: complete, or by closing the connection, either after the buffered bytes
    /// (`truncated`) or at once (`aborted`).
    private enum End { case complete, truncated, aborted }

    init(
        handle: ConnectionHandle, limits: ServerConfiguration, isEventStream: Bool,
        stallTimeout: Duration, length: Int?
    ) {
        self.stallTimeout = stallTimeout
        self.length = length
        self.handle = handle
        self.limits = limits
        self.isEventStream = isEventStream
        state = Mutex(State(lastWrite: .now))
    }

    /// Starts to copy `stream`; canceled when the client disconnects.
    func pump(_ stream: some AsyncSequence<[UInt8], Never> & Sendable) {
        let task = Task { [self] in
            for await chunk in stream {
                if await write(chunk) { continue }
                // A stream learns of its end only inside `next`: it is called once more, by a task
                // that is certainly canceled.
                withUnsafeCurrentTask { $0?.cancel() }
            }
            finish()
        }
        storePumpTask(task)
    }

    /// Starts to copy `bodyStream`; canceled when the client disconnects.
    func pump(_ bodyStream: BodyStream) {
        let task = Task { [self] in
            let end = await withTaskCancellationHandler {
                await copy(bodyStream)
            } onCancel: {
                bodyStream.cancel()
            }
            self.end(end)
        }
        storePumpTask(task)
    }

    private func copy(_ bodyStream: BodyStream) async -> End {
        while true {
            switch await bodyStream.next() {
            case .bytes(let chunk):
                guard await write(chunk) else {
                    bodyStream.cancel()
                    return .complete
                }
            case .end: return .complete
            case .aborted: return .truncated
            }
        }
    }

    private func storePumpTask(_ task: Task<Void, Never>) {
        let hasEnded = state.withLock { state in
            state.pumpTask = task
            return state.end != nil
        }
        if hasEnded { task.cancel() }
    }

    /// Appends `chunk` when there is space; false if the stream has ended. A chunk is not split, so
    /// the limit is exceeded by at most one.
    private func write(_ chunk: [UInt8]) async -> Bool {
        while true {
            let isAccepted: Bool? = state.withLock { state in
                guard state.end == nil else { return false }
                guard state.pendingCount < limits.streamBufferSize else { return nil }
                append(chunk, to: &state)
                return true
            }
            if let isAccepted { return isAccepted }
            await waitForSpace()
        }
    }

    /// Returns when there is space again, or the stream has ended.
    private func waitForSpace() async {
        await withCheckedContinuation { continuation in
            let hasSpace = state.withLock { state in
                if state.end != nil || state.pendingCount < limits.streamBufferSize { return true }
                state.spaceWaiter = continuation
                if state.fullSince == nil { state.fullSince = .now }
                return false
            }
            if hasSpace { continuation.resume() }
        }
    }

    /// Ends the stream: the response ends after the buffered bytes have been read.
    func finish() { end(.complete) }

    /// Ends the stream because the connection is lost or not worth keeping.
    ///
    /// If everything has been read before, nothing is lost and the writer ends by itself.
    func abort() {
        let isComplete = state.withLock { $0.totalRead == length }
        if !isComplete { end(.aborted) }
    }

    private func end(_ end: End) {
        let (spaceWaiter, pumpTask) = state.withLock { state in
            if state.end == nil || end == .aborted { state.end = end }
            resumeIfSuspended(&state)
            defer {
                state.spaceWaiter = nil
                state.fullSince = nil
            }
            return (state.spaceWaiter, state.pumpTask)
        }
        pumpTask?.cancel()
        spaceWaiter?.resume()
    }

    /// On a thread of libmicrohttpd: fills `buffer`, or suspends.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, spaceWaiter) = state.withLock { state in
            if state.end == .aborted { return (Int(foyer_mhd_end_with_error), nil as SpaceWaiter?) }
            let count = min(buffer.count, state.pendingCount)
            guard count > 0 else {
                if let end = state.end {
                    let isComplete = end == .complete
                    return (Int(isComplete ? foyer_mhd_end : foyer_mhd_end_with_error), nil)
                }
                state.isSuspended = true
                handle.suspend()
                return (0, nil)
            }
            return (count, copyOut(count, into: buffer, from: &state))
        }
        spaceWaiter?.resume()
        return count
    }

    private typealias SpaceWaiter = CheckedContinuation<Void, Never>

    /// Returns the waiting pump, if there is space for it again.
    private func copyOut(
        _ count: Int, into buffer: UnsafeMutableRawBufferPointer, from state: inout State
    ) -> SpaceWaiter? {
        state.bytes[state.readOffset..<(state.readOffset + count)].withUnsafeBytes {
            buffer.copyMemory(from: $0)
        }
        state.readOffset += count
        state.totalRead += count
        if state.pendingCount == 0 {
            // An idle stream retains no large buffer.
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

    /// Called periodically: sends a heartbeat on a silent event stream. True if the reader has
    /// stalled for too long.
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
        // Moving the remaining bytes each time would cost more than the space.
        if state.readOffset > state.bytes.count / 2 {
            state.bytes.removeFirst(state.readOffset)
            state.readOffset = 0
        }
        state.bytes += chunk
        state.lastWrite = .now
        if !chunk.isEmpty { resumeIfSuspended(&state) }
    }

    /// Under the lock, so that its holder knows: not marked suspended means not suspended.
    private func resumeIfSuspended(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        handle.resume()
    }
}
