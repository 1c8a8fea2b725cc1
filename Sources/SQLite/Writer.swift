import Dispatch
import Synchronization

/// The only connection that commits and checkpoints, on its own queue.
///
/// SQLite before 3.51.3 can corrupt a WAL when two connections commit or checkpoint at once.
/// `@unchecked Sendable`: the handle is accessed only on `queue`, the other state is protected by
/// the mutex.
final class Writer: @unchecked Sendable {
    private let handle: Handle
    private let queue = DispatchQueue(label: "foyer.sqlite.writer")
    private let state = Mutex(State())
    /// Whether a truncating checkpoint is scheduled. Accessed only on `queue`.
    private var isIdleCheckpointScheduled = false
    /// Accessed only on `queue`.
    private var checkpointPlan = CheckpointPlan()

    private struct State {
        var jobs = JobQueue()
        /// Whether `commitBatches` is queued or running.
        var isBusy = false
    }

    /// Jobs that may share one commit; bounds how long the first waits.
    private static let batchLimit = 256

    init(handle: Handle) { self.handle = handle }

    /// Queues a job, whose caller is always resumed.
    func submit(_ job: QueryJob) {
        let (rejection, starts) = state.withLock { state in
            let rejection = state.jobs.append(job, path: handle.path)
            let starts = rejection == nil && !state.isBusy
            if starts { state.isBusy = true }
            return (rejection, starts)
        }
        if let rejection { job.fail(rejection) }
        if starts { queue.async { self.commitBatches() } }
    }

    /// Rejects new jobs, finishes the waiting ones, checkpoints and closes.
    func close() async {
        state.withLock { $0.jobs.close() }
        await withUnsafeContinuation { continuation in
            queue.async {
                self.commitBatches()
                if self.handle.walSize.pages > 0 { self.handle.checkpoint(truncating: true) }
                self.handle.close()
                continuation.resume()
            }
        }
    }

    /// How many statements have been prepared so far.
    func preparedCount() async -> Int {
        await withUnsafeContinuation { continuation in
            queue.async { continuation.resume(returning: self.handle.preparedCount) }
        }
    }

    /// Commits batch after batch until the job queue is empty.
    private func commitBatches() {
        while true {
            let jobs = state.withLock { state in
                let jobs = state.jobs.pop(atMost: Self.batchLimit)
                if jobs.isEmpty { state.isBusy = false }
                return jobs
            }
            if jobs.isEmpty { break }
            Batch(handle: handle).commit(jobs)
            if let step = checkpointPlan.step(pages: handle.walSize.pages) {
                handle.checkpoint(truncating: step == .truncate)
            }
        }
        scheduleIdleCheckpoint()
    }

    /// Truncates the WAL once nothing has been written for a second.
    private func scheduleIdleCheckpoint() {
        guard handle.walSize.pages > 0, !isIdleCheckpointScheduled else { return }
        isIdleCheckpointScheduled = true
        let pages = handle.walSize.pages
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self else { return }
            isIdleCheckpointScheduled = false
            guard !state.withLock({ $0.jobs.isClosed || $0.isBusy }) else { return }
            if handle.walSize.pages == pages {
                handle.checkpoint(truncating: true)
            } else {
                scheduleIdleCheckpoint()
            }
        }
    }
}

/// Decides after each commit whether to checkpoint the write-ahead log.
///
/// SQLite restarts the log by itself once it is copied completely and no reader uses it. Under
/// constant reading that may never happen: then the log is copied in steps, and above a size the
/// checkpoint waits for readers.
struct CheckpointPlan {
    enum Step { case passive, truncate }

    /// Pages of 4 KiB after which the log is copied, and again after each further interval: every
    /// copy costs two syncs.
    static let pageInterval = 4_000
    /// Pages above which the checkpoint waits for readers, to truncate the log.
    static let truncateThreshold = 16_000

    private var nextThreshold = pageInterval
    private var lastPageCount = 0

    /// The checkpoint to perform when the log has `pages` pages.
    mutating func step(pages: Int) -> Step? {
        // The log was restarted.
        if pages < lastPageCount { nextThreshold = Self.pageInterval }
        lastPageCount = pages
        guard pages >= nextThreshold else { return nil }
        // If this checkpoint fails, it is not retried at every commit.
        nextThreshold = pages + Self.pageInterval
        return pages >= Self.truncateThreshold ? .truncate : .passive
    }
}

/// One commit for several writes, each in its own savepoint. A single write needs none: a savepoint
/// keeps a copy of every page it changes.
///
/// A write that throws undoes only itself. When COMMIT fails, or SQLite ends the transaction by
/// itself (disk full, I/O error), every write in it fails.
struct Batch {
    let handle: Handle

    /// Runs every job and resumes its caller.
    func commit(_ jobs: ArraySlice<QueryJob>) {
        var executed: [(job: QueryJob, resume: () -> Void)] = []
        executed.reserveCapacity(jobs.count)
        for job in jobs {
            do {
                if handle.hasNoTransaction { try run("BEGIN IMMEDIATE") }
                executed.append((job, try execute(job, inSavepoint: jobs.count > 1)))
            } catch {
                job.fail(error)
                if handle.hasNoTransaction {
                    // The earlier writes were rolled back with the transaction.
                    for (job, _) in executed { job.fail(error) }
                    executed.removeAll(keepingCapacity: true)
                }
            }
        }
        guard !handle.hasNoTransaction else { return }
        do { try run("COMMIT") } catch {
            if !handle.hasNoTransaction { try? run("ROLLBACK") }
            for (job, _) in executed { job.fail(error) }
            return
        }
        for (_, resume) in executed { resume() }
    }

    /// Runs one job; throws after undoing it if it fails.
    private func execute(_ job: QueryJob, inSavepoint: Bool) throws -> () -> Void {
        if inSavepoint { try run("SAVEPOINT job") }
        do {
            // An in-memory database has one connection for reads and writes, and a read must be as
            // unable to write as it is on a reader's connection.
            if job.isReadOnly { try run("PRAGMA query_only = 1") }
            defer { if job.isReadOnly { try? run("PRAGMA query_only = 0") } }
            let resume = try job.run(Connection(handle))
            guard !handle.hasNoTransaction else {
                throw DatabaseError(
                    kind: .misuse, detail: "\(handle.path): the transaction ended within a write")
            }
            // COMMIT would fail for all jobs, so the violation is attributed to its job.
            guard !handle.hasDeferredViolation else {
                throw DatabaseError(
                    kind: .constraint, detail: "\(handle.path): FOREIGN KEY constraint failed")
            }
            if inSavepoint { try run("RELEASE job") }
            return resume
        } catch {
            guard !handle.hasNoTransaction else { throw error }
            guard inSavepoint else {
                try? run("ROLLBACK")
                throw error
            }
            do {
                try run("ROLLBACK TO job")
                try run("RELEASE job")
            } catch { try? run("ROLLBACK") }
            throw error
        }
    }

    private func run(_ sql: StaticSQL) throws(DatabaseError) { try Connection(handle).run(sql) }
}
