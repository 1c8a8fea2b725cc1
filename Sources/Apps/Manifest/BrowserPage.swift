package import Web

/// A page of the backend that an action opens in the app's browser: a provider's sign-in
/// (`browser`).
///
/// As with iOS's ASWebAuthenticationSession the app first asks, and the page ends with a redirect to
/// `{browser.returnURL}`. The query of that URL then provides `{browser.…}` to the action's calls,
/// beside the values of a proof key (RFC 7636), `{browser.verifier}` and `{browser.challenge}`.
package struct BrowserPage: Sendable, Equatable {
    /// Appended to the backend's base.
    package var path: String
    package var query: [Form.Item]
    /// The query parameter that only a successful return has.
    package var resultName: String
    /// Shown if the return has neither that parameter nor an `error_description` (RFC 6749,
    /// section 4.1.2.1).
    package var failureMessage: String

    init(_ node: ManifestNode) throws {
        try node.allowOnly(["path", "query", "returns", "failed"])
        path = try node.require("path").callPath()
        query = try node["query"]?.pairs() ?? []
        resultName = try node.require("returns").string()
        failureMessage = try node.require("failed").text(.failure)
        node["query"]?.recordVariables(.variable(also: []))
    }

    /// The query parameter with the reason of a failure.
    package static let errorDescriptionName = "error_description"
}

extension App {
    /// The names of `{browser.…}`, if an action opens a page.
    var browserVariables: [String] {
        let pages = screens.flatMap(\.allActions).compactMap(\.browserPage)
        guard !pages.isEmpty else { return [] }
        return (["returnURL", "verifier", "challenge"] + pages.map(\.resultName)).map {
            "browser.\($0)"
        }
    }
}
