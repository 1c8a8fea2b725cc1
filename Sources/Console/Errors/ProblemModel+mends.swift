import Simulator
import Web

/// What a person can do about a problem, told by its code.
extension ProblemModel.Mend {
    /// `app` is the one whose page was asked for.
    static func all(of problem: Problem, app: String?) -> [Self] {
        one(problem.code, app).map { [$0] } ?? []
    }

    private static func one(_ code: String, _ app: String?) -> Self? {
        switch code {
        case Problem.unreadableStorage:
            Self(
                mend: "Forget what the app stores", mendURL: app.map { Links.studio($0, "forget") },
                why: "Accounts on the backend stay.")
        case "unknown-workspace":
            Self(
                mend: "Choose another workspace", mendURL: Links.workspaces,
                why: "The one called main is always there.")
        case "forgotten-exchange", "unknown-exchange":
            Self(
                mend: "See what is recorded now", mendURL: Links.traffic,
                why: "What the apps send is recorded as it happens.")
        case "unknown-session":
            Self(
                mend: "See all sessions", mendURL: Links.sessions,
                why: "Each workspace has its own sessions.")
        case "unknown-mail":
            Self(
                mend: "See the caught mail", mendURL: Links.mailbox,
                why: "Each workspace has its own mailbox.")
        case "unknown-account":
            Self(
                mend: "See all accounts", mendURL: Links.accounts,
                why: "Each workspace has its own; deleted ones are gone.")
        case "unknown-app":
            Self(
                mend: "See all apps", mendURL: Links.home,
                why: "An app is there as long as its manifest can be read.")
        case "unknown-snapshot":
            Self(
                mend: "See all snapshots", mendURL: Links.snapshots,
                why: "Each workspace has its own; deleted ones are gone.")
        case "unknown-condition", "too-many-conditions":
            Self(
                mend: "See all conditions", mendURL: Links.conditions,
                why: "What is used up ends by itself.")
        case "two-needed":
            Self(
                mend: "Choose two in the list", mendURL: Links.traffic,
                why: "Each exchange has a box at the end of its line.")
        case "body-too-large":
            Self(
                mend: "Go back and send less", mendURL: nil,
                why: "The browser still has what was filled in.")
        default: nil
        }
    }
}
