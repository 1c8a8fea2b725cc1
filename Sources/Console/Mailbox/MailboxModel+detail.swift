extension MailboxModel {
    /// One mail in full; the property `letter`.
    struct MailDetail: Encodable, Sendable {
        var glyph: GlyphModel
        var appName: String
        /// `verify`, `login`, `reset`.
        var purpose: String
        var subject: String
        var to: String
        /// ISO 8601, `14:35:15`, `12 s ago`.
        var sentAt: String
        var sentTime: String
        var sentAgo: String

        /// Whether it holds a code, the code, and its digits one by one.
        var anyCode: Bool
        var code: String
        var digits: [Digit]
        /// `http` or `https` only, checked before it comes here; nil for
        /// none.
        var linkURL: String?
        /// 32 px (`mid`), while it works.
        var remaining: CountdownModel?
        /// `used 14:33:58`, `expired 12 min ago`; nil with `remaining`.
        var usageNote: String?

        /// Message, Text, Headers: links with `view=`.
        var views: [View]
        /// The message as HTML in a page of its own with its own policy; nil
        /// in the other views, and for a mail without HTML.
        var htmlURL: String?
        /// Nil in the other views.
        var plainText: String?
        var anyMailHeaders: Bool
        var mailHeaders: [Header]

        /// `GET /api/mailbox/wait?to=…`, and what it answers.
        var testCall: String
        var testResponse: String
        /// The exchange that asked for it; nil if none is kept.
        var sendingExchange: ExchangeRowModel?
        /// What led to it, and what came of it.
        var eventChain: EventChainModel
    }

    struct Digit: Encodable, Sendable {
        var digit: String
        /// A wider gap stands before it, in the middle.
        var startsGroup: Bool
    }

    struct View: Encodable, Sendable {
        /// `message`, `text`, `headers`.
        var id: String
        var name: String
        var href: String
        var current: Bool
    }

    struct Header: Encodable, Sendable {
        var headerName: String
        var headerValue: String
    }
}
