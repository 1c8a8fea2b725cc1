import Synchronization
import Web

/// The bytes between a client that sends a body and whoever reads it as it
/// comes.
///
/// A thread of libmicrohttpd brings them. When too many wait the connection is
/// suspended under the same lock that says so: no reader can resume it before.
final class UploadBuffer: Sendable {
    private let handle: ConnectionHandle
    private let length: Int?
    private let capacity: Int
    private let state = Mutex(State())

    private struct State {
        var bytes: [UInt8] = []
        var end: BodyStream.Chunk?
        /// Suspended until somebody reads.
        var isSuspended = false
        /// Nobody reads any more: what still comes is dropped.
        var isDiscarding = false
        var discardedBytes = 0
        var consumer: CheckedContinuation<BodyStream.Chunk, Never>?
    }

    /// What a client may send that nobody wants any more, so that it hears
    /// the answer (libmicrohttpd gives none before a body's end).
    private static let discardLimit = 64 << 20

    /// `bound` bytes may wait.
    init(handle: ConnectionHandle, length: Int?, capacity: Int) {
        self.handle = handle
        self.length = length
        self.capacity = capacity
    }

    /// Whether it waits for its reader, not for its client.
    var isSuspended: Bool { state.withLock(\.isSuspended) }

    var bodyStream: BodyStream {
        BodyStream(
            length: length, next: { [self] in await next() },
            cancel: { [self] in discardRemaining() })
    }

    // MARK: On libmicrohttpd's threads

    /// Takes a piece, and suspends the connection if that is enough for now.
    /// False ends the connection.
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, consumer) = state.withLock { state in
            if state.isDiscarding {
                state.discardedBytes += piece.count
                return (state.discardedBytes <= Self.discardLimit, nil as Consumer?)
            }
            if let consumer = state.consumer {
                state.consumer = nil
                return (true, consumer)
            }
            state.bytes.append(contentsOf: piece)
            if state.bytes.count >= capacity {
                state.isSuspended = true
                handle.suspend()
            }
            return (true, nil)
        }
        consumer?.resume(returning: .bytes(Array(piece)))
        return isTaken
    }

    /// The body is whole.
    func finish() { end(.end) }

    // MARK: Elsewhere

    /// The client is gone, or sends no more.
    func abort() { end(.aborted) }

    /// What still comes is nobody's business; afterwards the connection is
    /// not suspended, and will not be again.
    func discardRemaining() {
        let consumer = state.withLock { state in
            state.isDiscarding = true
            state.bytes = []
            resumeIfSuspended(&state)
            if state.end == nil { state.end = .aborted }
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume(returning: .aborted)
    }

    private typealias Consumer = CheckedContinuation<BodyStream.Chunk, Never>

    private func end(_ end: BodyStream.Chunk) {
        let consumer = state.withLock { state in
            if state.end == nil { state.end = end }
            if end == .aborted {
                state.isDiscarding = true
                resumeIfSuspended(&state)
            }
            defer { state.consumer = nil }
            return state.consumer
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
