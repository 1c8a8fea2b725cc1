import Web

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
