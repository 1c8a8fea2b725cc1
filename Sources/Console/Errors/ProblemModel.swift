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
                label: "Clear app data", fixURL: app.map { Links.clearStorage($0) },
                reason: "Accounts on the backend remain.")
        case "unknown-workspace":
            Self(
                label: "Choose another workspace", fixURL: Links.workspaces,
                reason: "The workspace main always exists.")
        case "deleted-exchange", "unknown-exchange":
            Self(
                label: "View recorded requests", fixURL: Links.traffic,
                reason: "Requests of the apps are recorded live.")
        case "unknown-session":
            Self(
                label: "View all sessions", fixURL: Links.sessions,
                reason: "Each workspace has its own sessions.")
        case "unknown-mail":
            Self(
                label: "View the mailbox", fixURL: Links.mailbox,
                reason: "Each workspace has its own mailbox.")
        case "unknown-account":
            Self(
                label: "View all accounts", fixURL: Links.accounts,
                reason: "Each workspace has its own list.")
        case "unknown-app":
            Self(
                label: "View all apps", fixURL: Links.home,
                reason: "An app is listed while its manifest is valid.")
        case "unknown-snapshot":
            Self(
                label: "View all snapshots", fixURL: Links.snapshots,
                reason: "Each workspace has its own list.")
        case "unknown-fault", "too-many-faults":
            Self(
                label: "View all faults", fixURL: Links.faults,
                reason: "Used-up faults end automatically.")
        case "exchange-pair-required":
            Self(
                label: "Select two in the list", fixURL: Links.traffic,
                reason: "Each request has a checkbox at the end of its row.")
        case "body-too-large":
            Self(
                label: "Go back and send less", fixURL: nil,
                reason: "The form's contents are still in the browser.")
        default: nil
        }
    }
}

/// An error page: 400, 403, 404, 500 …
///
/// `errors/problem` in the console's layout, or without `frame` in `layouts/auth` for a client that
/// may not see the console: a wrong Host, a cross-site request.
struct ProblemModel: Encodable, Sendable {
    /// Nil in `layouts/auth`.
    var frame: FrameModel?
    /// The document's title in `layouts/auth`.
    var pageTitle: String
    /// `404 Not found`.
    var kind: String
    /// `Unknown request`.
    var title: String
    var detail: String
    /// Suggested fixes; may be empty.
    var fixes: [Fix]
    /// Whether anything was changed.
    var outcomeText: String
    /// The page that a rejected form or confirmation belongs to; nil for a page itself. `backName`
    /// is its name, `studio`.
    var backURL: String?
    var backName: String?
    /// Nil if the client may not see the console.
    var homeURL: String?

    struct Fix: Encodable, Sendable {
        var label: String
        /// The page for the fix; nil if there is none.
        var fixURL: String?
        var reason: String
    }
}
