/// Captured mail, with the details of one (`mailbox/mailbox`).
///
/// `/mailbox` shows the newest as `mail` with `hasSelection` false: narrow screens then show the
/// list, and the mail for `/mailbox/{id}` (with `hasSelection`). Parts, each a template
/// `mailbox/<name>`: `total`, `rows`, `mail`.
struct MailboxModel: Encodable, Sendable {
    /// `5 messages`.
    var totalText: String
    /// GET: shows a confirmation; nil when there is no mail.
    var clearURL: String?
    /// Whether the URL names a mail.
    var hasSelection: Bool
    /// The recipient searched for, empty for none.
    var query: String
    /// Shown if `mails` is empty although there is mail.
    var noMatchesText: String
    /// Newest first.
    var mails: [Row]
    /// Nil while everything fits on one page.
    var pager: PagerModel?
    /// Nil when there is none to show.
    var mail: MailDetail?
    /// Nil unless the mailbox is empty.
    var empty: EmptyStateModel?

    struct Row: Encodable, Sendable {
        var id: String
        var href: String
        var glyph: GlyphModel
        var subject: String
        var to: String
        /// ISO 8601; `sentAge` is the age, `12 s`.
        var sentAt: String
        var sentAge: String
        /// `Code 4:48 left`, `Link used`, `Link expired`, or empty.
        var usageText: String
        /// `accent` while it works, `warn` expired, empty used.
        var usageTone: String
        /// The one shown beside the list.
        var current: Bool
        /// Not opened in the console and not used.
        var isUnread: Bool
    }
}
