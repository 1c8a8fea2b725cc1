/// A page of sessions, newest first.
package struct SessionPage: Sendable {
    /// Each with its sequence, the key of pages.
    package var items: [(sequence: Int64, session: Session)]
    /// All that fit the query.
    package var total: Int
    /// All of the workspace, by state.
    package var workspaceTotals: [Session.State: Int]
    /// Those that fit the query but for its state, by state.
    package var filteredTotals: [Session.State: Int]
    package var hasOlder: Bool
    package var hasNewer: Bool
    /// Whether `total` and `fitting` are all there are; under a filter only
    /// the newest 5,000 are counted.
    package var totalIsExact: Bool = true
}
