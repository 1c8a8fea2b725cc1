import Dispatch
import Synchronization

/// The reading connections, each on a queue of its own beside the writer.
///
/// `@unchecked Sendable`: a lane's handle is touched only on the lane's queue,
/// the rest is behind the mutex.
final class Readers: @unchecked Sendable {
    private struct Lane {
        let handle: Handle
        let queue: DispatchQueue
    }

    private let lanes: [Lane]
    private let state: Mutex<State>
    private let path: String

    private struct State {
        var line = WaitingLine()
        /// Lanes without work.
        var idle: [Int]
        var isClosed = false
    }

    init(handles: [Handle], path: String) {
        lanes = handles.enumerated().map { index, handle in
            Lane(handle: handle, queue: DispatchQueue(label: "foyer.sqlite.reader.\(index)"))
        }
        self.path = path
        state = Mutex(State(idle: Array(handles.indices)))
    }

    /// Puts a job in the line and wakes an idle lane; it is always answered.
    func submit(_ job: Job) {
        enum Reply {
            case waits
            case starts(Int)
            case closed, full
        }
        let reply = state.withLock { state -> Reply in
            if state.isClosed { return .closed }
            if state.line.isFull { return .full }
            state.line.append(job)
            guard let lane = state.idle.popLast() else { return .waits }
            return .starts(lane)
        }
        switch reply {
        case .waits: break
        case .starts(let index): lanes[index].queue.async { self.work(index) }
        case .closed: job.fail(DatabaseError.closed(path))
        case .full: job.fail(DatabaseError.busy(path, waiting: WaitingLine.bound))
        }
    }

    /// Refuses new jobs, does those in the line, and closes.
    func close() async {
        state.withLock { $0.isClosed = true }
        for index in lanes.indices {
            await withUnsafeContinuation { continuation in
                lanes[index].queue.async {
                    // A lane woken before may come after this: by then the
                    // line is empty.
                    self.work(index)
                    self.lanes[index].handle.close()
                    continuation.resume()
                }
            }
        }
    }

    /// Answers whoever waits, until nobody does.
    private func work(_ index: Int) {
        let handle = lanes[index].handle
        while true {
            let job = state.withLock { state in
                let job = state.line.popFirst()
                if job == nil { state.idle.append(index) }
                return job
            }
            guard let job else { return }
            answer(job, on: handle)
        }
    }

    /// A read of several statements sees one snapshot.
    private func answer(_ job: Job, on handle: Handle) {
        let connection = Connection(handle)
        do {
            try connection.run("BEGIN")
            try job.attempt(connection)
        } catch {
            end(connection, on: handle)
            return job.fail(error)
        }
        end(connection, on: handle)
        job.succeed()
    }

    private func end(_ connection: Connection, on handle: Handle) {
        guard !handle.isOutsideTransaction else { return }
        // Ending a transaction that only read cannot fail.
        try? connection.run("ROLLBACK")
    }
}
