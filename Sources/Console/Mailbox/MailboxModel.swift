/// Caught mail, and one of them in full (`mailbox/mailbox`).
///
/// `/mailbox` shows the newest as `letter` with `chosen` false: a phone then
/// shows the list, `/mailbox/{id}` (with `chosen`) the mail.
/// Parts, each a template `mailbox/<name>`: `total`, `rows`, `letter`.
struct MailboxModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    /// `5 caught`.
    var totalText: String
    /// GET: asks first; nil when there is no mail.
    var clearURL: String?
    /// Whether the address names a mail.
    var hasSelection: Bool
    /// The address searched for, empty for none.
    var query: String
    /// Shown where `mails` is empty although there is mail.
    var noMatchesText: String
    /// Newest first.
    var mails: [Row]
    /// Nil while everything stands on one page.
    var pager: PagerModel?
    /// Nil when there is none to show.
    var mail: MailDetail?
    /// Only when no mail is caught at all.
    var empty: EmptyStateModel?

    struct Row: Encodable, Sendable {
        var id: String
        var href: String
        var glyph: GlyphModel
        var subject: String
        var to: String
        /// ISO 8601, and `12 s` for a person.
        var sentAt: String
        var sentAge: String
        /// `code 4:48 left`, `link used`, `link expired`, or empty.
        var usageText: String
        /// `accent` while it works, `warn` expired, empty used.
        var usageTone: String
        /// The one shown beside the list.
        var current: Bool
        /// Not opened in the console and not used.
        var isUnread: Bool
    }
}
