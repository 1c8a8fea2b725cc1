/// One account in full (`accounts/account`).
///
/// Parts, each a template `accounts/<name>`: `actions`, `sessions`, `facts`.
struct AccountModel: Encodable, Sendable {
    var frame: FrameModel
    var partURL: String
    /// Event kinds after which the page may be another.
    var liveEventKinds: String
    var glyph: GlyphModel
    var user: String
    var stateChip: ChipModel
    var appName: String
    /// What stands in the bar; the rest is below, with its words.
    var toolbarActions: [Action]
    var actions: [Action]
    /// What the contract cannot do, and why.
    var anyUnavailableActions: Bool
    var unavailableActions: [UnavailableAction]
    var details: [DetailModel]
    /// What its servers know of who is signed in.
    var sessionsText: String
    var anySessions: Bool
    var sessions: [Session]
    /// Its caught mail; nil without an address.
    var mailURL: String?

    struct Action: Encodable, Sendable {
        var id: String
        var label: String
        var href: String
        /// What follows and what ends with it.
        var text: String
        var isDestructive: Bool
    }

    struct UnavailableAction: Encodable, Sendable {
        var label: String
        var text: String
    }

    struct Session: Encodable, Sendable {
        var id: String
        /// The device's side of it; nil if no device of ours has it.
        var sessionURL: String?
        var device: String
        /// `lasts`, or why it ended.
        var status: String
        var tone: String
        var generation: String
        var createdAt: String
        var createdAgo: String
    }
}
