import Dispatch
import Synchronization

/// Runs slow work two at a time, off the threads that serve pages.
final class HashingQueue: Sendable {
    private static let lanes = 2
    private static let longestLine = 256

    /// A serial queue has a thread of its own; a concurrent one would take
    /// those that all tasks share.
    private let queues = (0..<lanes).map { DispatchQueue(label: "foyer.secrets.hashing.\($0)") }
    private let state = Mutex(State())

    private struct State {
        var idle = Array(0..<lanes)
        var line: [@Sendable () -> Void] = []
    }

    /// Waits for a turn and runs `work`; throws `.busy` if 256 wait already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws(SecretsError) -> Value)
        async throws(SecretsError) -> Value
    {
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Result<Value, SecretsError>, Never>) in
            let isTaken = submit {
                continuation.resume(returning: Result { () throws(SecretsError) in try work() })
            }
            if !isTaken {
                continuation.resume(
                    returning: .failure(
                        SecretsError(
                            kind: .busy,
                            detail: "\(Self.longestLine) passwords wait to be checked already")
                    ))
            }
        }
        return try result.get()
    }

    /// False if the line is full.
    private func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        enum Reply {
            case starts(lane: Int)
            case waits, full
        }
        let reply = state.withLock { state -> Reply in
            if let lane = state.idle.popLast() { return .starts(lane: lane) }
            if state.line.count >= Self.longestLine { return .full }
            state.line.append(work)
            return .waits
        }
        switch reply {
        case .starts(let lane):
            queues[lane].async { self.takeTurns(on: lane, first: work) }
            return true
        case .waits: return true
        case .full: return false
        }
    }

    private func takeTurns(on lane: Int, first: @escaping @Sendable () -> Void) {
        var next: (@Sendable () -> Void)? = first
        while let work = next {
            work()
            next = state.withLock { state in
                guard state.line.isEmpty else { return state.line.removeFirst() }
                state.idle.append(lane)
                return nil
            }
        }
    }
}
