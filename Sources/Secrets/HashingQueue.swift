import Dispatch
import Synchronization

/// Runs slow work two at a time, off the threads that serve pages.
final class HashingQueue: Sendable {
    private static let lanes = 2
    private static let longestLine = 256

    private let queue = DispatchQueue(
        label: "foyer.secrets.hashing", attributes: .concurrent)
    private let state = Mutex(State())

    private struct State {
        var running = 0
        var line: [@Sendable () -> Void] = []
    }

    /// Waits for a turn and runs `work`; throws `.busy` if 256 wait already.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(SecretsError) -> Value
    ) async throws(SecretsError) -> Value {
        let result = await withUnsafeContinuation {
            (
                continuation: UnsafeContinuation<
                    Result<Value, SecretsError>, Never
                >
            )
            in
            let isTaken = submit {
                continuation.resume(
                    returning: Result { () throws(SecretsError) in try work() })
            }
            if !isTaken {
                continuation.resume(
                    returning: .failure(
                        SecretsError(
                            kind: .busy,
                            detail: "\(Self.longestLine) passwords wait to be "
                                + "checked already")))
            }
        }
        return try result.get()
    }

    /// False if the line is full.
    private func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        enum Reply { case starts, waits, full }
        let reply = state.withLock { state -> Reply in
            if state.running < Self.lanes {
                state.running += 1
                return .starts
            }
            if state.line.count >= Self.longestLine { return .full }
            state.line.append(work)
            return .waits
        }
        if reply == .starts { queue.async { self.takeTurns(first: work) } }
        return reply != .full
    }

    private func takeTurns(first: @escaping @Sendable () -> Void) {
        var next: (@Sendable () -> Void)? = first
        while let work = next {
            work()
            next = state.withLock { state in
                guard state.line.isEmpty else {
                    return state.line.removeFirst()
                }
                state.running -= 1
                return nil
            }
        }
    }
}
