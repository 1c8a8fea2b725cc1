import Backend
import Web

extension BobFailure {
    /// Maps any error to a failure of Bob's server. An unexpected error becomes a 500 without
    /// internal details.
    init(_ error: any Error, to request: Request) {
        let dialect = BobDialect(request)
        switch error {
        case let failure as BobFailure: self = failure
        case let error as BodyError: self.init(error)
        case let problem as Problem: self.init(problem, request, dialect)
        case let error where error.isBusy:
            self.init(503, "The server is busy. Please try again.")
            headers = ["Retry-After": "1"]
        default: self = Self.unexpectedError(request, dialect)
        }
    }

    private init(_ error: BodyError) {
        switch error {
        case .unsupportedMediaType:
            self.init(415, "Send the body as Content-Type: application/json")
        case .malformed: self.init(400, "The request body is not valid JSON")
        case .notAnObject: self.init(400, "The request body must be a JSON object")
        case .notAString(let name): self.init(400, "\(name) must be a string")
        case .tooLong(let name, let limit):
            self.init(400, "\(name) must have at most \(limit) bytes")
        case .containsNUL(let name): self.init(400, "\(name) must not hold a NUL character")
        }
    }

    private init(_ problem: Problem, _ request: Request, _ dialect: BobDialect) {
        let path = dialect.serverPath(of: request)
        switch (problem.code, dialect) {
        // The real server has no 405.
        case ("not-found", _), ("method-not-allowed", .nest):
            self.init(404, "Cannot \(request.method.rawValue) \(path)")
        default:
            self.init(problem.status, problem.detail)
            headers = problem.headers
        }
    }

    private static func unexpectedError(_ request: Request, _ dialect: BobDialect) -> BobFailure {
        if dialect.serverPath(of: request).hasPrefix("/api/auth/login") {
            return BobFailure(500, "An unexpected error occurred during login. Please try again.")
        }
        return dialect == .nest
            ? withoutStatusText(500, "Internal server error")
            : BobFailure(500, "Internal server error")
    }
}
