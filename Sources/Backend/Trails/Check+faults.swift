import Web

extension Check {
    /// What was not as it should be, where every contract fails alike.
    static func blamed(for error: any Error) -> [Check] {
        switch error {
        case let fault as BodyFault:
            switch fault {
            case .mediaType, .malformed, .notObject: [.body]
            case .noText, .tooLong, .holdsNUL: [.fields]
            }
        case let problem as Problem: blamed(for: problem)
        default: []
        }
    }

    private static func blamed(for problem: Problem) -> [Check] {
        switch problem.code {
        case "wrong-host": [.host]
        case "unknown-workspace": [.workspace]
        // A gateway asks for its key before anybody looks for a path.
        case "not-found", "method-not-allowed": [.key, .route]
        case "target-too-long", "malformed-target": [.route]
        case "not-a-form", "malformed-form": [.body]
        default: [.fields]
        }
    }
}
