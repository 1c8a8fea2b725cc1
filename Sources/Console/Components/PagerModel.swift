/// A list page's range, and the links to its neighboring pages.
struct PagerModel: Encodable, Sendable {
    /// `1–20 of 1,284`.
    var range: String
    /// Nil on the first page.
    var newerURL: String?
    /// Nil on the last page.
    var olderURL: String?
}
