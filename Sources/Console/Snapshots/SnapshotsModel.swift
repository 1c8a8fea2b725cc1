/// The snapshots of a workspace, and the way to take one
/// (`snapshots/snapshots`).
///
/// Parts: `rows` (`snapshots/rows`).
struct SnapshotsModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    var totalText: String
    /// Nil but after something was put back: what that means.
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
        /// Nil if nothing is wrong with what was typed.
        var error: String?
    }

    struct Row: Encodable, Sendable {
        var id: String
        var name: String
        /// `Atlas on Device 1`.
        var scopeText: String
        /// What the embedded backend kept with it.
        var backendText: String
        var createdAt: String
        var createdAgo: String
        var restoreURL: String
        var deleteURL: String
    }
}
