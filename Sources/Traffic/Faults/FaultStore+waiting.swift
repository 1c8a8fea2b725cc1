import Synchronization

/// Who waits for a condition to strike, by workspace.
final class FaultWaiters: Sendable {
    private let continuations = Mutex<[String: [Int: AsyncStream<Void>.Continuation]]>([:])
    private let nextID = Atomic(0)

    func faultNotifications(in workspace: String) -> AsyncStream<Void> {
        let key = nextID.add(1, ordering: .relaxed).newValue
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { [weak self] _ in
            self?.continuations.withLock { waiting in
                waiting[workspace]?[key] = nil
                if waiting[workspace]?.isEmpty == true { waiting[workspace] = nil }
            }
        }
        continuations.withLock { $0[workspace, default: [:]][key] = continuation }
        return stream
    }

    func notify(_ workspace: String) {
        let all = continuations.withLock { $0[workspace]?.values.map(\.self) ?? [] }
        for continuation in all { continuation.yield() }
    }
}

extension FaultStore {
    /// Tells each time something strikes an exchange of a workspace, from
    /// this call on, as the exchange is about to leave.
    package func faultNotifications(in workspace: String) -> AsyncStream<Void> {
        waiters.faultNotifications(in: workspace)
    }
}
