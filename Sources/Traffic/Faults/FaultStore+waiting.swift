import Synchronization

/// Streams that wait for a fault to be applied, by workspace.
final class FaultWaiters: Sendable {
    private let continuations = Mutex<[String: [Int: AsyncStream<Void>.Continuation]]>([:])
    private let nextID = Atomic(0)

    func faultNotifications(in workspace: String) -> AsyncStream<Void> {
        let key = nextID.add(1, ordering: .relaxed).newValue
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.onTermination = { [weak self] _ in
            self?.continuations.withLock { streams in
                streams[workspace]?[key] = nil
                if streams[workspace]?.isEmpty == true { streams[workspace] = nil }
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
    /// Yields each time a fault is applied to an exchange of the workspace after this call, just
    /// before the request is sent.
    package func faultNotifications(in workspace: String) -> AsyncStream<Void> {
        waiters.faultNotifications(in: workspace)
    }
}
