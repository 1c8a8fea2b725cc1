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

    /// The details of one mail; the property `mail`.
    struct MailDetail: Encodable, Sendable {
        var glyph: GlyphModel
        var appName: String
        /// `Verify`, `Login`, `Reset`.
        var purpose: String
        var subject: String
        var to: String
        /// ISO 8601, `14:35:15`, `12 s ago`.
        var sentAt: String
        var sentTime: String
        var sentAgo: String

        /// Nil if it has none; then `digits` is empty.
        var code: String?
        var digits: [Digit]
        /// `http` or `https` only, already checked; nil for none.
        var linkURL: String?
        /// 32 px (`mid`); nil once used or expired.
        var remaining: CountdownModel?
        /// `Used 14:33:58`, `Expired 12 min ago`; nil with `remaining`.
        var usageNote: String?

        /// Message, Text, Headers: links with `view=`.
        var views: [LinkModel]
        /// The URL of the HTML message, a separate page with its own content security policy; nil
        /// in the other views, and for a mail without HTML.
        var htmlURL: String?
        /// Nil in the other views.
        var plainText: String?
        /// Empty in the other views.
        var mailHeaders: [DetailModel]

        /// `GET /api/mailbox/wait?to=…`, and its response.
        var testCall: String
        var testResponse: String
        /// The exchange that caused the mail; nil if none is stored.
        var sendingExchange: ExchangeRowModel?
        /// Its causes and effects.
        var eventChain: EventChainModel
    }

    struct Digit: Encodable, Sendable {
        var digit: String
        /// Whether a wider gap precedes it, in the middle.
        var startsGroup: Bool
    }
}
