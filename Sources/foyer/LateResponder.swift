import Synchronization
import Web

/// A responder that is known only after its server has its port.
final class LateResponder: Sendable {
    private let responder = Mutex<Responder?>(nil)

    func set(_ responder: @escaping Responder) {
        self.responder.withLock { $0 = responder }
    }

    /// 503 until the house stands, a matter of milliseconds.
    func respond(_ request: Request) async -> Response {
        guard let responder = responder.withLock({ $0 }) else {
            return Response(status: 503, headers: ["Retry-After": "1"])
        }
        return await responder(request)
    }
}
