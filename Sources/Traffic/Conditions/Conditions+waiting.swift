import Synchronization

/// Who waits for a condition to strike, by workspace.
final class StrikeWaiters: Sendable {
    private let waiting = Mutex<[String: [Int: AsyncStream<Void>.Continuation]]>([:])
    private let next = Atomic(0)

    func strikes(in workspace: String) -> AsyncStream<Void> {
        let key = next.add(1, ordering: .relaxed).newValue
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { [weak self] _ in
            self?.waiting.withLock { waiting in
                waiting[workspace]?[key] = nil
                if waiting[workspace]?.isEmpty == true { waiting[workspace] = nil }
            }
        }
        waiting.withLock { $0[workspace, default: [:]][key] = continuation }
        return stream
    }

    func tell(_ workspace: String) {
        let all = waiting.withLock { $0[workspace]?.values.map(\.self) ?? [] }
        for continuation in all { continuation.yield() }
    }
}

extension Conditions {
    /// Tells each time something strikes an exchange of a workspace, from
    /// this call on, as the exchange is about to leave.
    package func strikes(in workspace: String) -> AsyncStream<Void> {
        waiters.strikes(in: workspace)
    }
}
