/// Waiting jobs in order of arrival, at most `capacity`.
struct JobQueue {
    /// Every job is a caller that waits for its result; the limit is far above the server's number
    /// of requests, and catches programming errors.
    static let capacity = 10_000

    private var jobs: [QueryJob] = []
    /// How many at the front have been removed.
    private var head = 0

    var count: Int { jobs.count - head }
    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count >= Self.capacity }

    mutating func append(_ job: QueryJob) { jobs.append(job) }

    mutating func popFirst() -> QueryJob? {
        guard head < jobs.count else { return nil }
        let job = jobs[head]
        head += 1
        compact()
        return job
    }

    /// The first `limit` jobs, or all.
    mutating func pop(atMost limit: Int) -> ArraySlice<QueryJob> {
        let popped = jobs[head...].prefix(limit)
        head += popped.count
        compact()
        return popped
    }

    /// Removes the processed jobs once they are at least half, which costs O(1) per job on average.
    private mutating func compact() {
        guard head * 2 >= jobs.count else { return }
        jobs.removeFirst(head)
        head = 0
    }
}
