import Synchronization

/// A pull-based body stream; calling `next()` provides backpressure.
///
/// It has one consumer, which calls `next` once at a time. A stream that is released before its end
/// is canceled.
package final class BodyStream: Sendable {
    /// Length in bytes; nil if it is unknown before the end.
    package let length: Int?
    private let nextChunk: @Sendable () async -> Chunk
    private let onCancel: @Sendable () -> Void
    private let isOpen = Atomic(true)

    package init(
        length: Int?, next: @escaping @Sendable () async -> Chunk,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.length = length
        nextChunk = next
        onCancel = cancel
    }

    deinit { if isOpen.load(ordering: .acquiring) { onCancel() } }

    /// Waits for the next chunk.
    package func next() async -> Chunk {
        let chunk = await nextChunk()
        if chunk == .end || chunk == .aborted { isOpen.store(false, ordering: .releasing) }
        return chunk
    }

    /// Ends the consumer's interest: notifies the producer, and a pending `next` returns `aborted`.
    package func cancel() {
        isOpen.store(false, ordering: .releasing)
        onCancel()
    }

    package enum Chunk: Sendable, Equatable {
        case bytes([UInt8])
        /// The body is complete.
        case end
        /// The body stopped and is incomplete; every further call returns this too.
        case aborted
    }
}
