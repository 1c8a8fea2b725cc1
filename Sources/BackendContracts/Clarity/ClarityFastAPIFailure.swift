import Backend
import Web

/// A failure response of Clarity's FastAPI servers: `{"detail": …}`.
struct ClarityFastAPIFailure: ExpectedError, Sendable, Equatable {
    let status: Int
    let detail: JSON
    var headers = Headers()

    init(_ status: Int, _ detail: JSON) {
        self.status = status
        self.detail = detail
    }

    /// The format of the backend beside Firebase: an error code and its description.
    init(_ status: Int, error: String, _ description: String) {
        self.init(status, ["error": .string(error), "error_description": .string(description)])
    }

    /// The format of the Cognito backend: a problem (RFC 9457) inside `detail`.
    init(_ status: Int, type: String, title: String, _ text: String) {
        self.init(
            status,
            [
                "type": .string(type), "title": .string(title), "detail": .string(text),
                "status": .int(Int64(status)),
                "instance": .string("https://api.clarity.health/requests/\(type)"),
            ])
    }

    /// Errors of single fields. The values are not repeated.
    init(fieldErrors: [ClarityFastAPIBody.FieldError]) {
        self.init(422, .array(fieldErrors.map(\.json)))
    }

    var response: Response {
        var response = Response.json(["detail": detail], status: status)
        response.headers.fields += headers.fields
        return response
    }

    static var notAuthenticated: ClarityFastAPIFailure {
        var problem = ClarityFastAPIFailure(401, "Not authenticated")
        problem.headers = ["WWW-Authenticate": "Bearer"]
        return problem
    }

    static var busy: ClarityFastAPIFailure {
        var problem = ClarityFastAPIFailure(503, "Service Unavailable")
        problem.headers = ["Retry-After": "1"]
        return problem
    }
}
