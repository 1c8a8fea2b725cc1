import Backend
import Web

extension ClarityContract {
    /// Maps any error to a response of the server the request was for.
    @Sendable static func makeFailureResponse(_ error: any Error, _ request: Request) -> Response {
        ClarityDialect(request) == .google
            ? ClarityGoogleFailure(error).response
            : ClarityFastAPIFailure(error, to: request).response
    }
}

extension ClarityGoogleFailure {
    /// Maps any error to a failure. An unexpected error becomes a 500 without internal details.
    fileprivate init(_ error: any Error) {
        switch error {
        case let failure as ClarityGoogleFailure: self = failure
        case let error as BodyError: self = Self.malformedPayload(Self.detail(error))
        case let problem as Problem: self.init(problem)
        case let error where error.isBusy: self = .busy
        default: self = .internalError
        }
    }

    /// Google has no 405.
    private init(_ problem: Problem) {
        switch problem.status {
        case 404, 405: self = .notFound
        case 400, 415: self = .malformedPayload(problem.detail)
        default:
            self.init(problem.status, problem.detail, reason: "invalid", status: nil)
            headers = problem.headers
        }
    }

    private static func detail(_ error: BodyError) -> String {
        switch error {
        case .unsupportedMediaType, .malformed: "Syntax error."
        case .notAnObject: "Root element must be a message."
        case .notAString(let name): "/\(name) must be string"
        case .tooLong(let name, let limit): "/\(name) must have at most \(limit) bytes"
        case .containsNUL(let name): "/\(name) must not hold NUL"
        }
    }
}

/// Which of Clarity's servers a request is for, determined by its path.
enum ClarityDialect: Sendable, Equatable {
    /// Google's services.
    case google
    /// Clarity's own backend beside Firebase.
    case backend
    /// The backend that signs users in with Cognito.
    case cognito

    init(_ request: Request) {
        // The first two segments are the workspace and this contract.
        let segments = (try? RequestTarget(parsing: request.target))?.segments ?? []
        switch segments.dropFirst(2).first {
        case "api": self = .backend
        case "cognito": self = .cognito
        default: self = .google
        }
    }
}
