extension MailboxModel {
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

        /// Whether there is a code, the code, and its digits.
        var anyCode: Bool
        var code: String
        var digits: [Digit]
        /// `http` or `https` only, already checked; nil for none.
        var linkURL: String?
        /// 32 px (`mid`); nil once used or expired.
        var remaining: CountdownModel?
        /// `Used 14:33:58`, `Expired 12 min ago`; nil with `remaining`.
        var usageNote: String?

        /// Message, Text, Headers: links with `view=`.
        var views: [View]
        /// The URL of the HTML message, a separate page with its own content security policy; nil
        /// in the other views, and for a mail without HTML.
        var htmlURL: String?
        /// Nil in the other views.
        var plainText: String?
        var anyMailHeaders: Bool
        var mailHeaders: [Header]

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
