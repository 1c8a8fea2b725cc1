import Simulator
import Web

/// Suggested fixes for a problem, by its code.
extension ProblemModel.Fix {
    /// `app` is the id of the app whose page was requested.
    static func all(of problem: Problem, app: String?) -> [Self] {
        fix(problem.code, app).map { [$0] } ?? []
    }

    private static func fix(_ code: String, _ app: String?) -> Self? {
        switch code {
        case Problem.unreadableStorageCode:
            Self(
                label: "Forget what the app stores", fixURL: app.map { Links.studio($0, "forget") },
                reason: "Accounts on the backend stay.")
        case "unknown-workspace":
            Self(
                label: "Choose another workspace", fixURL: Links.workspaces,
                reason: "The one called main is always there.")
        case "forgotten-exchange", "unknown-exchange":
            Self(
                label: "See what is recorded now", fixURL: Links.traffic,
                reason: "What the apps send is recorded as it happens.")
        case "unknown-session":
            Self(
                label: "See all sessions", fixURL: Links.sessions,
                reason: "Each workspace has its own sessions.")
        case "unknown-mail":
            Self(
                label: "See the caught mail", fixURL: Links.mailbox,
                reason: "Each workspace has its own mailbox.")
        case "unknown-account":
            Self(
                label: "See all accounts", fixURL: Links.accounts,
                reason: "Each workspace has its own; deleted ones are gone.")
        case "unknown-app":
            Self(
                label: "See all apps", fixURL: Links.home,
                reason: "An app is there as long as its manifest can be read.")
        case "unknown-snapshot":
            Self(
                label: "See all snapshots", fixURL: Links.snapshots,
                reason: "Each workspace has its own; deleted ones are gone.")
        case "unknown-condition", "too-many-conditions":
            Self(
                label: "See all conditions", fixURL: Links.faults,
                reason: "What is used up ends by itself.")
        case "two-needed":
            Self(
                label: "Choose two in the list", fixURL: Links.traffic,
                reason: "Each exchange has a box at the end of its line.")
        case "body-too-large":
            Self(
                label: "Go back and send less", fixURL: nil,
                reason: "The browser still has what was filled in.")
        default: nil
        }
    }
}
