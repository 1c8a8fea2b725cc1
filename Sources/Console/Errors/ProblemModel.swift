/// An error page: 400, 403, 404, 500 …
///
/// `errors/problem` in the console's layout, or without `frame` in `layouts/door` for a client that
/// may not see the console: a wrong Host, a cross-site request.
struct ProblemModel: Encodable, Sendable {
    /// Nil in `layouts/door`.
    var frame: FrameModel?
    /// The document's title in `layouts/door`.
    var pageTitle: String
    /// `404 Not found`.
    var kind: String
    /// `There is no such exchange`.
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
