/// One account in full (`accounts/account`).
///
/// Parts, each a template `accounts/<name>`: `actions`, `sessions`, `facts`.
struct AccountModel: Encodable, Sendable {
    var frame: FrameModel
    var partURL: String
    /// Event kinds after which the page may be another.
    var pageKinds: String
    var glyph: GlyphModel
    var user: String
    var stateChip: ChipModel
    var appName: String
    /// What stands in the bar; the rest is below, with its words.
    var barActs: [Act]
    var acts: [Act]
    /// What the contract cannot do, and why.
    var anyMissing: Bool
    var missing: [Missing]
    var facts: [FactModel]
    /// What its servers know of who is signed in.
    var sessionsText: String
    var anySessions: Bool
    var sessions: [Session]
    /// Its caught mail; nil without an address.
    var mailURL: String?

    struct Act: Encodable, Sendable {
        var act: String
        var label: String
        var href: String
        /// What follows and what ends with it.
        var text: String
        var destroys: Bool
    }

    struct Missing: Encodable, Sendable {
        var label: String
        var text: String
    }

    struct Session: Encodable, Sendable {
        var id: String
        /// The device's side of it; nil if no device of ours has it.
        var sessionURL: String?
        var device: String
        /// `lasts`, or why it ended.
        var standing: String
        var tone: String
        var generation: String
        var beganAt: String
        var began: String
    }
}
