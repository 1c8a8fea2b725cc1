import FoundationEssentials
import Web

extension MysticaFailure {
    /// Maps any error to a failure. An unexpected error becomes a 500 without internal details.
    init(_ error: any Error, to request: Request, at now: Timestamp) {
        switch error {
        case let failure as MysticaFailure: self = failure
        case let error as BodyError: self.init(error)
        case let problem as Problem: self.init(problem, request, now)
        case let error where error.isBusy: self = .busy
        default: self.init(500, "INTERNAL_ERROR", "Internal server error")
        }
    }

    private static var busy: MysticaFailure {
        var failure = MysticaFailure(
            503, "SERVICE_UNAVAILABLE", "The server is busy. Please try again.")
        failure.headers = ["Retry-After": "1"]
        return failure
    }

    private init(_ problem: Problem, _ request: Request, _ now: Timestamp) {
        switch (problem.status, problem.code) {
        case (404, "not-found"):
            let path = request.target.prefix { $0 != "?" }.prefix(200)
            self.init(404, "NOT_FOUND", "Route \(request.method.rawValue) \(path) not found")
            timestamp = now.date.iso8601
        case (405, _): self.init(405, "METHOD_NOT_ALLOWED", problem.detail)
        case (415, _): self.init(415, "UNSUPPORTED_MEDIA_TYPE", problem.detail)
        default:
            let code = problem.code.uppercased().replacing("-", with: "_")
            self.init(problem.status, code, problem.detail)
        }
        headers = problem.headers
    }
}
