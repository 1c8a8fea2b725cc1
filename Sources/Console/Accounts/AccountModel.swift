/// The page of one account (`accounts/account`).
///
/// Parts, each a template `accounts/<name>`: `state`, `actions`, `sessions`, `details`.
struct AccountModel: Encodable, Sendable {
    /// Event kinds that may change the page.
    var liveEventKinds: String
    var glyph: GlyphModel
    var user: String
    var stateChip: ChipModel
    var appName: String
    /// The toolbar's actions; `actions` has all of them, with explanations.
    var toolbarActions: [Action]
    var actions: [Action]
    var unavailableActions: [UnavailableAction]
    var details: [DetailModel]
    /// Active and total server sessions: `1 of 3 active`.
    var sessionsText: String
    var anySessions: Bool
    var sessions: [Session]
    /// The mailbox filtered by the account's address; nil without an address.
    var mailURL: String?

    struct Action: Encodable, Sendable {
        var id: String
        var label: String
        var href: String
        /// The action's consequences.
        var text: String
        var isDestructive: Bool
    }

    struct UnavailableAction: Encodable, Sendable {
        var label: String
        var text: String
    }

    struct Session: Encodable, Sendable {
        var id: String
        /// The page of the matching device session; nil if no device has it.
        var sessionURL: String?
        var device: String
        /// `Active`, or why it ended.
        var status: String
        var tone: String
        var generation: String
        var createdAt: String
        var createdAgo: String
    }
}
