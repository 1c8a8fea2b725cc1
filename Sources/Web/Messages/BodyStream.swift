/// A body that comes piece by piece; asking for the next is the brake.
///
/// One asks at a time. Whoever stops before the end says so with `cancel`.
package struct BodyStream: Sendable {
    /// Bytes in all; nil if only the end tells.
    package let length: Int?
    /// Waits for what comes next.
    package let next: @Sendable () async -> Chunk
    /// Nobody asks any more: whoever sends is told, and a `next` that waits
    /// comes back broken.
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
        /// That was all.
        case end
        /// It stops here and is not whole; so it stays, however often one
        /// asks.
        case aborted
    }
}
