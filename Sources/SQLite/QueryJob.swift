/// A read or write that waits for a connection's queue.
///
/// `@unchecked Sendable`: the caller's task creates it, then only the queue that took it from the
/// job queue runs it. Its caller is resumed exactly once.
struct QueryJob: @unchecked Sendable {
    /// Whether it may not change anything.
    let isReadOnly: Bool
    /// Runs the body. Returns what resumes the caller with its result, for after the commit.
    let run: (Connection) throws -> () -> Void
    /// Resumes the caller with an error.
    let fail: (any Error) -> Void

    init<Value: Sendable>(
        isReadOnly: Bool, _ continuation: UnsafeContinuation<Value, any Error>,
        _ body: @escaping @Sendable (Connection) throws -> Value
    ) {
        self.isReadOnly = isReadOnly
        run = { connection in
            let value = try body(connection)
            return { continuation.resume(returning: value) }
        }
        fail = { continuation.resume(throwing: $0) }
    }
}

/// Waiting jobs in order of arrival, at most `capacity`.
struct JobQueue {
    /// Every job is a caller that waits for its result; the limit is far above the server's number
    /// of requests, and catches programming errors.
    static let capacity = 10_000

    private var jobs: [QueryJob] = []
    /// How many at the front have been removed.
    private var head = 0
    private(set) var isClosed = false
    var isEmpty: Bool { jobs.count == head }

    /// Adds a job; returns why it is rejected, nil if it is not.
    mutating func append(_ job: QueryJob, path: String) -> DatabaseError? {
        if isClosed {
            return DatabaseError(kind: .closed, detail: "\(path): the database is closed")
        }
        guard jobs.count - head < Self.capacity else {
            let detail = "\(path): \(Self.capacity) operations are already waiting"
            return DatabaseError(kind: .busy, detail: detail)
        }
        jobs.append(job)
        return nil
    }

    /// Rejects all further jobs.
    mutating func close() { isClosed = true }

    /// The first `limit` jobs, or all.
    mutating func pop(atMost limit: Int) -> ArraySlice<QueryJob> {
        let popped = jobs[head...].prefix(limit)
        head += popped.count
        // Removes the processed jobs once they are at least half, which costs O(1) per job on
        // average.
        if head * 2 >= jobs.count {
            jobs.removeFirst(head)
            head = 0
        }
        return popped
    }
}
