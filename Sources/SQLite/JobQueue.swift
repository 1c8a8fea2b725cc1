/// Jobs in the order they came, at most `bound` of them.
struct JobQueue {
    /// Every one is a caller that waits for its answer; the bound is far
    /// above what the server lets in, and is there for mistakes.
    static let capacity = 10_000

    private var jobs: [QueryJob] = []
    /// How many at the front are gone already.
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

    /// The first `limit` of them, or all there are.
    mutating func pop(atMost limit: Int) -> ArraySlice<QueryJob> {
        let taken = jobs[head...].prefix(limit)
        head += taken.count
        compact()
        return taken
    }

    /// Forgets what is gone once it is at least half, which costs O(1) per
    /// job on average.
    private mutating func compact() {
        guard head * 2 >= jobs.count else { return }
        jobs.removeFirst(head)
        head = 0
    }
}
