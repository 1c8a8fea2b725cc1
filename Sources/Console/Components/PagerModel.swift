/// Where one is in a list, and the ways on.
struct PagerModel: Encodable, Sendable {
    /// `1–20 of 1,284`.
    var range: String
    /// Nil on the first page.
    var newerURL: String?
    /// Nil on the last page.
    var olderURL: String?
}
