import Synchronization
import Web

/// Buffer between a client that uploads a body and the consumer that streams it.
///
/// A thread of libmicrohttpd writes to it. When the buffer is full, the connection is suspended
/// under the same lock that sets `isSuspended`, so that no reader can resume it before.
final class UploadBuffer: Sendable {
    private let handle: ConnectionHandle
    private let length: Int?
    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        var bytes: [UInt8] = []
        var end: BodyStream.Chunk?
        /// Suspended until the consumer reads.
        var isSuspended = false
        /// Whether the body has no consumer any more: further bytes are dropped.
        var isDiscarding = false
        var discardedBytes = 0
        var consumer: CheckedContinuation<BodyStream.Chunk, Never>?
    }

    /// How much a client may send after the consumer stopped, so that it gets the response
    /// (libmicrohttpd sends none before the end of a body).
    private static let discardLimit = 64 << 20

    /// Up to `capacity` bytes are buffered, plus one chunk.
    init(handle: ConnectionHandle, length: Int?, capacity: Int) {
        self.handle = handle
        self.length = length
        self.capacity = capacity
    }

    /// Whether it waits for its consumer, not for its client.
    var isSuspended: Bool { state.withLock(\.isSuspended) }

    var bodyStream: BodyStream {
        BodyStream(
            length: length, next: { [self] in await next() },
            cancel: { [self] in discardRemaining() })
    }

    // MARK: On libmicrohttpd's threads

    /// Receives a chunk, and suspends the connection if the buffer is full. False closes the
    /// connection.
    func receive(_ chunk: UnsafeRawBufferPointer) -> Bool {
        let (isAccepted, consumer) = state.withLock { state in
            if state.isDiscarding {
                state.discardedBytes += chunk.count
                return (state.discardedBytes <= Self.discardLimit, nil as Consumer?)
            }
            if let consumer = state.consumer {
                state.consumer = nil
                return (true, consumer)
            }
            state.bytes.append(contentsOf: chunk)
            if state.bytes.count >= capacity {
                state.isSuspended = true
                handle.suspend()
            }
            return (true, nil)
        }
        consumer?.resume(returning: .bytes(Array(chunk)))
        return isAccepted
    }

    /// The body is complete.
    func finish() { end(.end) }

    // MARK: On other threads

    /// The client has disconnected, or stopped sending.
    func abort() { end(.aborted) }

    /// Drops all further bytes; afterwards the connection is not suspended, and will not be again.
    func discardRemaining() { end(.aborted, dropsBytes: true) }

    private typealias Consumer = CheckedContinuation<BodyStream.Chunk, Never>

    private func end(_ end: BodyStream.Chunk, dropsBytes: Bool = false) {
        let consumer = state.withLock { state in
            if dropsBytes { state.bytes = [] }
            if state.end == nil { state.end = end }
            if end == .aborted {
                state.isDiscarding = true
                resumeIfSuspended(&state)
            }
            return state.consumer.take()
        }
        consumer?.resume(returning: end)
    }

    private func next() async -> BodyStream.Chunk {
        await withCheckedContinuation { consumer in
            let chunk: BodyStream.Chunk? = state.withLock { state in
                guard state.bytes.isEmpty else {
                    defer {
                        state.bytes = []
                        resumeIfSuspended(&state)
                    }
                    return .bytes(state.bytes)
                }
                if state.end == nil { state.consumer = consumer }
                return state.end
            }
            if let chunk { consumer.resume(returning: chunk) }
        }
    }

    private func resumeIfSuspended(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        handle.resume()
    }
}
