/// `/workspaces`: the list of workspaces, to switch to, extend and end.
struct WorkspacesModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    /// `3 workspaces`.
    var totalText: String
    var rows: [Row]
    /// The next page; nil on the last.
    var olderURL: String?
    /// The name entered for a new workspace.
    var label: String
    /// Nil if the name is valid.
    var labelError: String?
    /// Lease durations for a new workspace, with the default chosen.
    var leaseOptions: [ChoiceModel]

    struct Row: Encodable, Sendable {
        var id: String
        var name: String
        /// Nil if the name is the id.
        var secondaryID: String?
        var isCurrent: Bool
        /// `58 min`; nil for a permanent workspace.
        var expiresIn: String?
        /// ISO 8601, by the system clock.
        var expiresAt: String?
        /// `+15 min`; nil for the system time.
        var clock: String?
        var switchAction: String
        var resetURL: String
        /// Nil for a permanent workspace.
        var extendAction: String?
        var deleteURL: String?
    }
}
