/// The snapshots of a workspace, with the form to take one (`snapshots/snapshots`).
///
/// Parts: `rows` (`snapshots/rows`).
struct SnapshotsModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    var totalText: String
    /// The consequences of a restore; nil unless one was just done.
    var restoredNote: String?
    var form: Fields
    var anySnapshots: Bool
    var rows: [Row]

    struct Fields: Encodable, Sendable {
        var action: String
        var name: String
        var deviceLabel: String
        /// All apps of this device, or one.
        var apps: [ChoiceModel]
        /// Nil if the input is valid.
        var error: String?
    }

    struct Row: Encodable, Sendable {
        var id: String
        var name: String
        /// `Atlas on Device 1`.
        var scopeText: String
        /// Whether the embedded backend's data is included.
        var backendText: String
        var createdAt: String
        var createdAgo: String
        var restoreURL: String
        var deleteURL: String
    }
}
