import Dispatch

/// Runs long work serially on its own thread.
///
/// Swift's tasks share as many threads as there are processors, and pages are rendered on them:
/// computations of tenths of a second run here instead.
package final class BackgroundQueue: Sendable {
    private let queue: DispatchQueue

    package init(_ name: String) { queue = DispatchQueue(label: "foyer.\(name)") }

    /// The result of `work`, which runs after all work queued before it.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}
