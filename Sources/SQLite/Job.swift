/// A read or write that waits for its turn on a connection's queue.
///
/// `@unchecked Sendable`: made by the caller's task, then touched only by the
/// one queue that took it out of the line.
class Job: @unchecked Sendable {
    /// Runs the body and keeps what it gave.
    func attempt(_ connection: Connection) throws {}

    /// Answers the caller with what `attempt` kept.
    func succeed() {}

    /// Answers the caller with an error.
    func fail(_ error: any Error) {}

    /// Whether it may not change anything.
    var isRead: Bool { false }
}

/// The job of a body with a result.
///
/// `@unchecked Sendable` as every job is: `value` is written and read only by
/// the one queue that took it out of the line.
final class Errand<Value: Sendable>: Job, @unchecked Sendable {
    private let body: @Sendable (Connection) throws -> Value
    /// Resumed exactly once, by `succeed` or `fail`.
    private let continuation: UnsafeContinuation<Value, any Error>
    private var value: Value?
    private let readsOnly: Bool

    init(
        readsOnly: Bool, continuation: UnsafeContinuation<Value, any Error>,
        body: @escaping @Sendable (Connection) throws -> Value
    ) {
        self.readsOnly = readsOnly
        self.continuation = continuation
        self.body = body
    }

    override var isRead: Bool { readsOnly }

    override func attempt(_ connection: Connection) throws { value = try body(connection) }

    override func succeed() {
        guard let value else { preconditionFailure("a job is answered after its attempt") }
        continuation.resume(returning: value)
    }

    override func fail(_ error: any Error) { continuation.resume(throwing: error) }
}
