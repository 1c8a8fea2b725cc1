import HTTPServer
import Synchronization
import Web

/// A responder that is known only after its server has its port.
final class LateResponder: Sendable {
    private let handlers = Mutex<Handlers?>(nil)

    /// Holds the closure as it is: one that is itself a mutex's value is
    /// wrapped anew at every look, and ever deeper.
    private struct Handlers {
        let respond: Responder
        let makeRejectionResponse: @Sendable (Problem, Request) -> Response
        let largeBodyLimit: ServerConfiguration.LargeBodyLimit
    }

    /// `refuse` answers what the server does not let through; `fileLimit` is
    /// what bodies that bring a file may have.
    func set(
        _ responder: @escaping Responder,
        makeRejectionResponse: @escaping @Sendable (Problem, Request) -> Response = { problem, _ in
            problem.response
        }, largeBodyLimit: @escaping ServerConfiguration.LargeBodyLimit = { _, _ in nil }
    ) {
        handlers.withLock {
            $0 = Handlers(
                respond: responder, makeRejectionResponse: makeRejectionResponse,
                largeBodyLimit: largeBodyLimit)
        }
    }

    /// 503 until the house stands, a matter of milliseconds.
    func respond(_ request: Request) async -> Response {
        guard let door = handlers.withLock({ $0 }) else {
            return Response(status: 503, headers: ["Retry-After": "1"])
        }
        return await door.respond(request)
    }

    func largeBodyLimit(_ target: String, _ headers: Headers) throws(Problem) -> Int? {
        try handlers.withLock { $0 }?.largeBodyLimit(target, headers)
    }

    func makeRejectionResponse(_ problem: Problem, _ request: Request) -> Response {
        guard let door = handlers.withLock({ $0 }) else { return problem.response }
        return door.makeRejectionResponse(problem, request)
    }
}
