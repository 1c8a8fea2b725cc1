/// A page of sessions, newest first.
package struct SessionPage: Sendable {
    /// Each with its sequence, the key of pages.
    package var items: [(sequence: Int64, session: Session)]
    /// All that fit the query.
    package var total: Int
    /// All of the workspace, by state.
    package var totals: [Session.State: Int]
    package var hasOlder: Bool
    package var hasNewer: Bool
    /// Whether `total` is exact; a search stops counting at 5,000.
    package var totalIsWhole: Bool = true
}
