import Web

extension RequestCheck {
    /// The checks that may have failed, for errors that all contracts share.
    static func failedChecks(for error: any Error) -> [RequestCheck] {
        switch error {
        case let error as BodyError:
            switch error {
            case .unsupportedMediaType, .malformed, .notAnObject: [.body]
            case .notAString, .tooLong, .containsNUL: [.fields]
            }
        case let problem as Problem: failedChecks(for: problem)
        default: []
        }
    }

    private static func failedChecks(for problem: Problem) -> [RequestCheck] {
        switch problem.code {
        case "wrong-host": [.host]
        case "unknown-workspace": [.workspace]
        // A gateway checks its API key before the path.
        case "not-found", "method-not-allowed": [.apiKey, .route]
        case "target-too-long", "malformed-target": [.route]
        case "not-a-form", "malformed-form": [.body]
        default: [.fields]
        }
    }
}
