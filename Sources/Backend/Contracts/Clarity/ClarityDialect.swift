import Web

/// Which of Clarity's servers is asked; the path tells.
enum ClarityDialect: Sendable, Equatable {
    /// Google's services.
    case google
    /// Clarity's own backend beside Firebase.
    case backend
    /// The backend that signs people in by Cognito.
    case cognito

    init(_ request: Request) {
        // The workspace, this contract, and what follows.
        let segments = (try? RequestTarget(parsing: request.target))?.segments ?? []
        switch segments.dropFirst(2).first {
        case "api": self = .backend
        case "cognito": self = .cognito
        default: self = .google
        }
    }
}
