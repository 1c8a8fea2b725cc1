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
        let (rejection, index) = state.withLock { state in
            let rejection = state.jobs.append(job, path: path)
            return (rejection, rejection == nil ? state.idleReaders.popLast() : nil)
        }
        if let rejection { job.fail(rejection) }
        if let index { readers[index].queue.async { self.drainJobs(index) } }
    }

    /// Reads on the caller's thread, which saves two thread switches; nil if no reader is idle.
    func readIfIdle<Value>(_ body: (Connection) throws -> Value) -> Result<Value, any Error>? {
        guard let index = state.withLock({ $0.idleReaders.popLast() }) else { return nil }
        let reader = readers[index]
        return reader.queue.sync {
            guard !state.withLock({ $0.jobs.isClosed }) else { return nil }
            let result = Self.read(on: reader.handle, body)
            let hasJobs = state.withLock { state in
                if state.jobs.isEmpty { state.idleReaders.append(index) }
                return !state.jobs.isEmpty
            }
            if hasJobs { reader.queue.async { self.drainJobs(index) } }
            return result
        }
    }

    /// Rejects new jobs, finishes the waiting ones, and closes.
    func close() async {
        state.withLock { $0.jobs.close() }
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
                let job = state.jobs.pop(atMost: 1).first
                if job == nil { state.idleReaders.append(index) }
                return job
            }
            guard let job else { return }
            switch Self.read(on: handle, job.run) {
            case .success(let resume): resume()
            case .failure(let error): job.fail(error)
            }
        }
    }

    /// A read of several statements sees one snapshot.
    private static func read<Value>(on handle: Handle, _ body: (Connection) throws -> Value)
        -> Result<Value, any Error>
    {
        let connection = Connection(handle)
        let result = Result {
            try connection.run("BEGIN")
            return try body(connection)
        }
        // Ending a transaction that only read cannot fail.
        if !handle.hasNoTransaction { try? connection.run("ROLLBACK") }
        return result
    }
}
