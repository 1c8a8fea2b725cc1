import Backend
import Web

extension ClarityFastAPIFailure {
    /// Maps any error to a failure. An unexpected error becomes a 500 without internal details.
    init(_ error: any Error, to request: Request) {
        switch error {
        case let problem as ClarityFastAPIFailure: self = problem
        case let failure as ClarityGoogleFailure: self.init(failure)
        case let error as BodyError: self.init(fieldErrors: [ClarityFastAPIBody.FieldError(error)])
        case let problem as Problem: self.init(problem)
        case let error where error.isBusy: self = .busy
        default: self.init(500, "Internal Server Error")
        }
    }

    private init(_ problem: Problem) {
        switch problem.status {
        case 404: self.init(404, "Not Found")
        case 405: self.init(405, "Method Not Allowed")
        default: self.init(problem.status, .string(problem.detail))
        }
        headers = problem.headers
    }

    /// Translates Google's token failures into those of the backend that received the token.
    private init(_ failure: ClarityGoogleFailure) {
        switch failure {
        case .missingIDToken: self = .notAuthenticated
        case .tokenExpired: self.init(401, error: "token_expired", "The token has expired")
        case .userNotFound: self.init(401, error: "user_not_found", "The token's user is gone")
        case .userDisabled:
            self.init(403, error: "account_disabled", "The account has been disabled")
        case .invalidRefreshToken:
            self.init(401, error: "invalid_refresh_token", "The refresh token is not valid")
        case .invalidCode, .expiredCode:
            self.init(
                400, error: "verification_failed", "The verification code is not valid any more")
        default: self.init(401, error: "invalid_token", "The token is not valid")
        }
    }
}
