/// `/workspaces`: the worlds there are, to enter, prolong and end.
struct WorkspacesModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    /// `3 workspaces`.
    var totalText: String
    var rows: [Row]
    /// The next page; nil on the last.
    var olderURL: String?
    /// The name that was typed for a new one.
    var label: String
    /// What is wrong with it; nil for nothing.
    var labelError: String?
    /// How long a new one is leased, with the usual one chosen.
    var leaseOptions: [ChoiceModel]

    struct Row: Encodable, Sendable {
        var id: String
        /// What people call it.
        var name: String
        /// Nil if that is its id.
        var secondaryID: String?
        var isCurrent: Bool
        /// `58 min`; nil for the one that stays.
        var expiresIn: String?
        /// ISO 8601, by the real clock.
        var expiresAt: String?
        /// `+15 min`; nil for the real time.
        var clock: String?
        var switchAction: String
        var resetURL: String
        /// Nil for the one that stays.
        var extendAction: String?
        var deleteURL: String?
    }
}
