/// A read or write that waits for its turn on a connection's queue.
///
/// `@unchecked Sendable`: made by the caller's task, then touched only by the
/// one queue that took it out of the line.
class QueryJob: @unchecked Sendable {
    /// Runs the body and keeps what it gave.
    func execute(_ connection: Connection) throws {}

    /// Answers the caller with what `attempt` kept.
    func succeed() {}

    /// Answers the caller with an error.
    func fail(_ error: any Error) {}

    /// Whether it may not change anything.
    var isReadOnly: Bool { false }
}

/// The job of a body with a result.
///
/// `@unchecked Sendable` as every job is: `value` is written and read only by
/// the one queue that took it out of the line.
final class TypedQueryJob<Value: Sendable>: QueryJob, @unchecked Sendable {
    private let body: @Sendable (Connection) throws -> Value
    /// Resumed exactly once, by `succeed` or `fail`.
    private let continuation: UnsafeContinuation<Value, any Error>
    private var result: Value?
    private let readsOnly: Bool

    init(
        readsOnly: Bool, continuation: UnsafeContinuation<Value, any Error>,
        body: @escaping @Sendable (Connection) throws -> Value
    ) {
        self.readsOnly = readsOnly
        self.continuation = continuation
        self.body = body
    }

    override var isReadOnly: Bool { readsOnly }

    override func execute(_ connection: Connection) throws { result = try body(connection) }

    override func succeed() {
        guard let value = result else { preconditionFailure("a job is answered after its attempt") }
        continuation.resume(returning: value)
    }

    override func fail(_ error: any Error) { continuation.resume(throwing: error) }
}
