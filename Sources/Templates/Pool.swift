import Synchronization

/// What one rendering lends to the next: whoever takes one has it alone until
/// it is put back.
final class Pool<Element: Sendable>: Sendable {
    /// A burst of renderings leaves no more than this.
    private static var capacity: Int { 8 }

    private let elements = Mutex<[Element]>([])

    /// Nil when all are in use.
    func take() -> Element? { elements.withLock { $0.popLast() } }

    func put(_ one: Element) {
        elements.withLock { kept in if kept.count < Self.capacity { kept.append(one) } }
    }
}
