/// A read or write that waits for a connection's queue.
///
/// `@unchecked Sendable`: the caller's task creates it, then only the queue that took it from the
/// job queue accesses it.
class QueryJob: @unchecked Sendable {
    /// Runs the body and stores its result.
    func execute(_ connection: Connection) throws {}

    /// Resumes the caller with the result of `execute`.
    func succeed() {}

    /// Resumes the caller with an error.
    func fail(_ error: any Error) {}

    /// Whether it may not change anything.
    var isReadOnly: Bool { false }
}

/// The job of a body with a result.
///
/// `@unchecked Sendable` like every job: `result` is written and read only by the queue that took
/// it from the job queue.
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
        guard let value = result else {
            preconditionFailure("a job has its result after its attempt")
        }
        continuation.resume(returning: value)
    }

    override func fail(_ error: any Error) { continuation.resume(throwing: error) }
}
