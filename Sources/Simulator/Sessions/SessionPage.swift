/// A page of sessions, newest first.
package struct SessionPage: Sendable {
    /// Each with its sequence, the key of pages.
    package var items: [(sequence: Int64, session: Session)]
    /// Number of matches of the query.
    package var total: Int
    /// All sessions of the workspace, by state.
    package var workspaceTotals: [Session.State: Int]
    /// Matches of the query without its state filter, by state.
    package var filteredTotals: [Session.State: Int]
    package var hasOlder: Bool
    package var hasNewer: Bool
    /// Whether `total` and `filteredTotals` are complete; with a filter only the newest 5,000 are
    /// counted.
    package var totalIsExact: Bool = true
}
