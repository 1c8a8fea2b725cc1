import Synchronization

/// A pool of reusable objects, each lent to one rendering at a time.
final class Pool<Element: Sendable>: Sendable {
    /// Limits what a burst of renderings leaves behind.
    private static var capacity: Int { 8 }

    private let elements = Mutex<[Element]>([])

    /// Nil when all are in use.
    func take() -> Element? { elements.withLock { $0.popLast() } }

    func put(_ element: Element) {
        elements.withLock { elements in
            if elements.count < Self.capacity { elements.append(element) }
        }
    }
}
