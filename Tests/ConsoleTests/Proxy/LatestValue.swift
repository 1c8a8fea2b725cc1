import Synchronization
import Web

/// The last request that a stub backend received.
final class LatestValue: Sendable {
    private let request = Mutex<OutboundRequest?>(nil)

    var value: OutboundRequest? { request.withLock { $0 } }

    func set(_ request: OutboundRequest) { self.request.withLock { $0 = request } }
}
