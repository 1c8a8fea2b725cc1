import Dispatch
import Synchronization

/// Runs slow work two at a time, off the threads that serve pages.
final class HashingQueue: Sendable {
    private static let workerCount = 2
    private static let capacity = 256

    /// A serial queue gets its own thread; a concurrent one would occupy the threads that all tasks
    /// share.
    private let queues = (0..<workerCount).map {
        DispatchQueue(label: "foyer.crypto.hashing.\($0)")
    }
    private let state = Mutex(State())

    private struct State {
        var idleWorkers = Array(0..<workerCount)
        var pendingWork: [@Sendable () -> Void] = []
    }

    /// Waits for a free worker and runs `work`; throws `.busy` if 256 wait already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws(CryptoError) -> Value)
        async throws(CryptoError) -> Value
    {
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Result<Value, CryptoError>, Never>) in
            let isAccepted = submit {
                continuation.resume(returning: Result { () throws(CryptoError) in try work() })
            }
            if !isAccepted {
                continuation.resume(
                    returning: .failure(
                        CryptoError(
                            kind: .busy,
                            detail: "\(Self.capacity) password checks are already waiting")))
            }
        }
        return try result.get()
    }

    /// False if the queue is full.
    private func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        enum Reply {
            case starts(worker: Int)
            case waits, full
        }
        let reply = state.withLock { state -> Reply in
            if let worker = state.idleWorkers.popLast() { return .starts(worker: worker) }
            if state.pendingWork.count >= Self.capacity { return .full }
            state.pendingWork.append(work)
            return .waits
        }
        switch reply {
        case .starts(let worker):
            queues[worker].async { self.runPendingWork(on: worker, first: work) }
            return true
        case .waits: return true
        case .full: return false
        }
    }

    private func runPendingWork(on worker: Int, first: @escaping @Sendable () -> Void) {
        var next: (@Sendable () -> Void)? = first
        while let work = next {
            work()
            next = state.withLock { state in
                guard state.pendingWork.isEmpty else { return state.pendingWork.removeFirst() }
                state.idleWorkers.append(worker)
                return nil
            }
        }
    }
}
