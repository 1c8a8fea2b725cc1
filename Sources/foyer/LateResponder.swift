import HTTPServer
import Synchronization
import Web

/// A responder that is set after its server has a port.
final class LateResponder: Sendable {
    private let handlers = Mutex<Handlers?>(nil)

    /// Stores the closure in a struct: a closure that is itself a mutex's value is wrapped again at
    /// every access, deeper and deeper.
    private struct Handlers {
        let respond: Responder
        let makeRejectionResponse: @Sendable (Problem, Request) -> Response
        let largeBodyLimit: ServerConfiguration.LargeBodyLimit
    }

    /// `makeRejectionResponse` builds the response to requests that the server rejects;
    /// `largeBodyLimit` is the limit of bodies with a file.
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

    /// Responds with 503 until the responder is set, which takes milliseconds.
    func respond(_ request: Request) async -> Response {
        guard let current = handlers.withLock({ $0 }) else {
            return Response(status: 503, headers: ["Retry-After": "1"])
        }
        return await current.respond(request)
    }

    func largeBodyLimit(_ target: String, _ headers: Headers) throws(Problem) -> Int? {
        try handlers.withLock { $0 }?.largeBodyLimit(target, headers)
    }

    func makeRejectionResponse(_ problem: Problem, _ request: Request) -> Response {
        guard let current = handlers.withLock({ $0 }) else { return problem.response }
        return current.makeRejectionResponse(problem, request)
    }
}
