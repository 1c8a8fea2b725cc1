import Dispatch

/// Long work, one piece after another on a thread of its own.
///
/// Tasks share as few threads as there are processors, and pages are made on
/// them: what computes for tenths of a second is done here instead.
package final class BackgroundQueue: Sendable {
    private let queue: DispatchQueue

    package init(_ name: String) { queue = DispatchQueue(label: "foyer.\(name)") }

    /// What `work` returns or throws, once those before it are done.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { done in
            queue.async { done.resume(with: Result(catching: work)) }
        }
    }
}
