import Backend
import Web

extension WallFailure {
    /// Maps any error to a failure. An unexpected error becomes a 500 without internal details.
    init(_ error: any Error, to request: Request) {
        switch error {
        case let failure as WallFailure: self = failure
        case let error as BodyError: self.init(error, request)
        case let problem as Problem: self.init(problem, request)
        case let error where error.isBusy:
            self.init(503, "The server is busy. Please try again.", .framework)
            headers = ["Retry-After": "1"]
        default: self.init(500, "Internal Server Error", .framework)
        }
    }

    private init(_ error: BodyError, _ request: Request) {
        switch error {
        case .unsupportedMediaType:
            self.init(
                415,
                """
                Content Type [\(request.mediaType.prefix(100))] not allowed. \
                Allowed types: [application/json]
                """, .framework)
        case .malformed: self.init(400, "Invalid JSON: the body cannot be read", .framework)
        case .notAnObject: self.init(400, "Invalid JSON: not an object", .framework)
        case .notAString(let name): self.init(400, "Invalid JSON: \(name) is no text", .framework)
        case .tooLong(let name, let limit):
            self.init(400, "\(name) must have at most \(limit) bytes", .framework)
        case .containsNUL(let name):
            self.init(400, "\(name) must not hold a NUL character", .framework)
        }
    }

    private init(_ problem: Problem, _ request: Request) {
        switch problem.code {
        case "not-found": self.init(404, "Page Not Found", .framework)
        case "method-not-allowed":
            // The real server's routes have no OPTIONS.
            let allowed = (problem.headers["Allow"] ?? "").replacing("OPTIONS, ", with: "")
            self.init(
                405,
                """
                Method [\(request.method.rawValue)] not allowed for URI \
                [\(WallDialect.serverPath(of: request))]. Allowed methods: [\(allowed)]
                """, .framework)
            headers = ["Allow": allowed]
        default:
            self.init(problem.status, problem.detail, .framework)
            headers = problem.headers
        }
    }
}
