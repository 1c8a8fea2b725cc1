/// Something that went wrong, as a page: 400, 403, 404, 500 …
///
/// `errors/problem` in the console's layout, or in `layouts/door` (then
/// without `frame`) for one who may not see the console: a wrong Host, a
/// cross-site request.
struct ProblemModel: Encodable, Sendable {
    /// Nil in `layouts/door`.
    var frame: FrameModel?
    /// The document's title in `layouts/door`.
    var pageTitle: String
    /// `404 Not found`.
    var kind: String
    /// What a person would say: `There is no such exchange`.
    var title: String
    var detail: String
    /// How to mend it; may be empty.
    var fixes: [Fix]
    /// What still works, or that nothing was done.
    var outcomeText: String
    /// The page a refused form or question belongs to, `studio`; nil for a
    /// page itself.
    var backURL: String?
    var backName: String?
    /// Nil where the console is not open.
    var homeURL: String?

    struct Fix: Encodable, Sendable {
        var label: String
        /// Where that is done; nil if it is not on a page.
        var fixURL: String?
        var reason: String
    }
}
