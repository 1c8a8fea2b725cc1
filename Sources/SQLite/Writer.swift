import Dispatch
import Synchronization

/// The one connection that commits and checkpoints, on a queue of its own.
///
/// SQLite before 3.51.3 can corrupt a WAL when two connections commit or
/// checkpoint at once, so nobody else may. `@unchecked Sendable`: the handle
/// is touched only on `queue`, the rest is behind the mutex.
final class Writer: @unchecked Sendable {
    private let handle: Handle
    private let queue = DispatchQueue(label: "foyer.sqlite.writer")
    private let state = Mutex(State())
    /// A truncating checkpoint is planned. Touched only on `queue`.
    private var awaitsIdle = false
    /// Touched only on `queue`.
    private var plan = CheckpointPlan()

    private struct State {
        var line = WaitingLine()
        /// A turn is on the queue or under way.
        var isBusy = false
        var isClosed = false
    }

    /// Jobs that may share one commit; bounds how long the first waits.
    private static let batch = 256

    init(handle: Handle) { self.handle = handle }

    /// Puts a job in the line; it is always answered.
    func submit(_ job: Job) {
        enum Reply { case waits, starts, closed, full }
        let reply = state.withLock { state -> Reply in
            if state.isClosed { return .closed }
            if state.line.isFull { return .full }
            state.line.append(job)
            if state.isBusy { return .waits }
            state.isBusy = true
            return .starts
        }
        switch reply {
        case .waits: break
        case .starts: queue.async { self.takeTurns() }
        case .closed: job.fail(DatabaseError.closed(handle.path))
        case .full: job.fail(DatabaseError.busy(handle.path, waiting: WaitingLine.bound))
        }
    }

    /// Refuses new jobs, does those in the line, checkpoints and closes.
    func close() async {
        state.withLock { $0.isClosed = true }
        await withUnsafeContinuation { continuation in
            queue.async {
                self.takeTurns()
                if self.handle.log.pages > 0 { self.handle.checkpoint(truncating: true) }
                self.handle.close()
                continuation.resume()
            }
        }
    }

    /// How many statements were prepared so far.
    func preparedCount() async -> Int {
        await withUnsafeContinuation { continuation in
            queue.async { continuation.resume(returning: self.handle.preparedCount) }
        }
    }

    /// Commits batch after batch until the line is empty.
    private func takeTurns() {
        while true {
            let jobs = state.withLock { state in
                let jobs = state.line.pop(atMost: Self.batch)
                if jobs.isEmpty { state.isBusy = false }
                return jobs
            }
            if jobs.isEmpty { break }
            Batch(handle: handle).commit(jobs)
            boundLog()
        }
        planIdleCheckpoint()
    }

    private func boundLog() {
        guard let step = plan.step(pages: handle.log.pages) else { return }
        handle.checkpoint(truncating: step == .cut)
    }

    /// Empties the WAL once nothing was written for a while.
    private func planIdleCheckpoint() {
        guard handle.log.pages > 0, !awaitsIdle else { return }
        awaitsIdle = true
        let pages = handle.log.pages
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self else { return }
            awaitsIdle = false
            guard !state.withLock({ $0.isClosed || $0.isBusy }) else { return }
            if handle.log.pages == pages {
                handle.checkpoint(truncating: true)
            } else {
                planIdleCheckpoint()
            }
        }
    }
}
