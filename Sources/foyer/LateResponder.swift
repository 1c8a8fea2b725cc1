import HTTPServer
import Synchronization
import Web

/// A responder that is known only after its server has its port.
final class LateResponder: Sendable {
    private let door = Mutex<Door?>(nil)

    /// Holds the closure as it is: one that is itself a mutex's value is
    /// wrapped anew at every look, and ever deeper.
    private struct Door {
        let respond: Responder
        let refuse: @Sendable (Problem, Request) -> Response
        let fileLimit: ServerConfiguration.FileLimit
    }

    /// `refuse` answers what the server does not let through; `fileLimit` is
    /// what bodies that bring a file may have.
    func set(
        _ responder: @escaping Responder,
        refuse: @escaping @Sendable (Problem, Request) -> Response = { problem, _ in
            problem.response
        }, fileLimit: @escaping ServerConfiguration.FileLimit = { _, _ in nil }
    ) { door.withLock { $0 = Door(respond: responder, refuse: refuse, fileLimit: fileLimit) } }

    /// 503 until the house stands, a matter of milliseconds.
    func respond(_ request: Request) async -> Response {
        guard let door = door.withLock({ $0 }) else {
            return Response(status: 503, headers: ["Retry-After": "1"])
        }
        return await door.respond(request)
    }

    func fileLimit(_ target: String, _ headers: Headers) throws(Problem) -> Int? {
        try door.withLock { $0 }?.fileLimit(target, headers)
    }

    func refuse(_ problem: Problem, _ request: Request) -> Response {
        guard let door = door.withLock({ $0 }) else { return problem.response }
        return door.refuse(problem, request)
    }
}
