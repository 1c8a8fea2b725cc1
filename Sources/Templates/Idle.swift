import Synchronization

/// What one rendering lends to the next: whoever takes one has it alone until
/// it is put back.
final class Idle<Kept: Sendable>: Sendable {
    /// A burst of renderings leaves no more than this.
    private static var bound: Int { 8 }

    private let kept = Mutex<[Kept]>([])

    /// Nil when all are in use.
    func take() -> Kept? { kept.withLock { $0.popLast() } }

    func put(_ one: Kept) {
        kept.withLock { kept in if kept.count < Self.bound { kept.append(one) } }
    }
}
