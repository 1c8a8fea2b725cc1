import Dispatch
import Synchronization

/// The reading connections, each on its own queue beside the writer.
///
/// `@unchecked Sendable`: a reader's handle is accessed only on its queue, the other state is
/// protected by the mutex.
final class ReaderPool: @unchecked Sendable {
    private struct Reader {
        let handle: Handle
        let queue: DispatchQueue
    }

    private let readers: [Reader]
    private let state: Mutex<State>
    private let path: String

    private struct State {
        var jobs = JobQueue()
        /// Readers without work.
        var idleReaders: [Int]
        var isClosed = false
    }

    init(handles: [Handle], path: String) {
        readers = handles.enumerated().map { index, handle in
            Reader(handle: handle, queue: DispatchQueue(label: "foyer.sqlite.reader.\(index)"))
        }
        self.path = path
        state = Mutex(State(idleReaders: Array(handles.indices)))
    }

    /// Queues a job and wakes an idle reader; the job's caller is always resumed.
    func submit(_ job: QueryJob) {
        enum Reply {
            case waits
            case starts(Int)
            case closed, full
        }
        let reply = state.withLock { state -> Reply in
            if state.isClosed { return .closed }
            if state.jobs.isFull { return .full }
            state.jobs.append(job)
            guard let index = state.idleReaders.popLast() else { return .waits }
            return .starts(index)
        }
        switch reply {
        case .waits: break
        case .starts(let index): readers[index].queue.async { self.drainJobs(index) }
        case .closed: job.fail(DatabaseError.closed(path))
        case .full: job.fail(DatabaseError.busy(path, waiting: JobQueue.capacity))
        }
    }

    /// Rejects new jobs, finishes the waiting ones, and closes.
    func close() async {
        state.withLock { $0.isClosed = true }
        for index in readers.indices {
            await withUnsafeContinuation { continuation in
                readers[index].queue.async {
                    // A reader woken before may run after this: by then the job queue is empty.
                    self.drainJobs(index)
                    self.readers[index].handle.close()
                    continuation.resume()
                }
            }
        }
    }

    /// Executes waiting jobs until there are none.
    private func drainJobs(_ index: Int) {
        let handle = readers[index].handle
        while true {
            let job = state.withLock { state in
                let job = state.jobs.popFirst()
                if job == nil { state.idleReaders.append(index) }
                return job
            }
            guard let job else { return }
            execute(job, on: handle)
        }
    }

    /// A read of several statements sees one snapshot.
    private func execute(_ job: QueryJob, on handle: Handle) {
        let connection = Connection(handle)
        do {
            try connection.run("BEGIN")
            try job.execute(connection)
        } catch {
            endTransaction(connection, on: handle)
            return job.fail(error)
        }
        endTransaction(connection, on: handle)
        job.succeed()
    }

    private func endTransaction(_ connection: Connection, on handle: Handle) {
        guard !handle.hasNoTransaction else { return }
        // Ending a transaction that only read cannot fail.
        try? connection.run("ROLLBACK")
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
