/// Which sessions to list, newest first.
package struct SessionQuery: Sendable {
    package var workspace: String
    package var app: String?
    package var device: String?
    package var backend: String?
    package var state: Session.State?
    /// Only sessions with discrepancies at the last check.
    package var isOutOfSync: Bool = false
    /// Words searched in user, e-mail, device label and claims.
    package var text: String?
    package var before: Int64?
    package var after: Int64?
    /// 1 … 500.
    package var limit: Int = 50

    /// Whether it filters by more than the state.
    var isFiltered: Bool {
        isOutOfSync || app != nil || device != nil || backend != nil || text != nil
    }

    package init(workspace: String) { self.workspace = workspace }
}
