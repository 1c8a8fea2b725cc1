import Synchronization
import Web

/// A responder that is known only after its server has its port.
final class LateResponder: Sendable {
    private let door = Mutex<Door?>(nil)

    /// Holds the closure as it is: one that is itself a mutex's value is
    /// wrapped anew at every look, and ever deeper.
    private struct Door {
        let respond: Responder
    }

    func set(_ responder: @escaping Responder) {
        door.withLock { $0 = Door(respond: responder) }
    }

    /// 503 until the house stands, a matter of milliseconds.
    func respond(_ request: Request) async -> Response {
        guard let door = door.withLock({ $0 }) else {
            return Response(status: 503, headers: ["Retry-After": "1"])
        }
        return await door.respond(request)
    }
}
