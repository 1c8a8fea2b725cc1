import Simulator
import Web

/// Suggested fixes for a problem, by its code.
extension ProblemModel.Fix {
    /// `app` is the id of the app whose page was requested.
    static func all(of problem: Problem, app: String?) -> [Self] {
        if problem.code == Problem.unreadableStorageCode {
            return [
                Self(
                    label: "Clear app data", fixURL: app.map { Links.clearStorage($0) },
                    reason: "Accounts on the backend remain.")
            ]
        }
        return byCode[problem.code].map { label, url, reason in
            [Self(label: label, fixURL: url, reason: reason)]
        } ?? []
    }

    private static let byCode: [String: (label: String, url: String?, reason: String)] = [
        "unknown-workspace": (
            "Choose another workspace", Links.workspaces, "The workspace main always exists."
        ), "deleted-exchange": viewRequests, "unknown-exchange": viewRequests,
        "unknown-session": (
            "View all sessions", Links.sessions, "Each workspace has its own sessions."
        ),
        "unknown-mail": ("View the mailbox", Links.mailbox, "Each workspace has its own mailbox."),
        "unknown-account": (
            "View all accounts", Links.accounts, "Each workspace has its own list."
        ),
        "unknown-app": (
            "View all apps", Links.home, "An app is listed while its manifest is valid."
        ),
        "unknown-snapshot": (
            "View all snapshots", Links.snapshots, "Each workspace has its own list."
        ), "unknown-fault": viewFaults, "too-many-faults": viewFaults,
        "exchange-pair-required": (
            "Select two in the list", Links.traffic,
            "Each request has a checkbox at the end of its row."
        ),
        "body-too-large": (
            "Go back and send less", nil, "The form's contents are still in the browser."
        ),
    ]

    private static let viewRequests: (String, String?, String) = (
        "View recorded requests", Links.traffic, "Requests of the apps are recorded live."
    )
    private static let viewFaults: (String, String?, String) = (
        "View all faults", Links.faults, "Used-up faults end automatically."
    )
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
