/// A pull-based body stream; calling `next()` provides backpressure.
///
/// It has one consumer, which calls `next` once at a time and calls `cancel` if it stops before the
/// end.
package struct BodyStream: Sendable {
    /// Length in bytes; nil if it is unknown before the end.
    package let length: Int?
    /// Waits for the next chunk.
    package let next: @Sendable () async -> Chunk
    /// Ends the consumer's interest: notifies the producer, and a pending `next` returns `aborted`.
    package let cancel: @Sendable () -> Void

    package init(
        length: Int?, next: @escaping @Sendable () async -> Chunk,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.length = length
        self.next = next
        self.cancel = cancel
    }

    package enum Chunk: Sendable, Equatable {
        case bytes([UInt8])
        /// The body is complete.
        case end
        /// The body stopped and is incomplete; every further call returns this too.
        case aborted
    }
}
