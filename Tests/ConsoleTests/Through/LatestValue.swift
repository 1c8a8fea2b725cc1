import Synchronization
import Web

/// The request a stand-in was asked last.
final class LatestValue: Sendable {
    private let request = Mutex<OutboundRequest?>(nil)

    var value: OutboundRequest? { request.withLock { $0 } }

    func set(_ request: OutboundRequest) { self.request.withLock { $0 = request } }
}
