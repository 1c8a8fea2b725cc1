/// One exchange in a list.
struct ExchangeRowModel: Encodable, Sendable {
    var id: String
    var href: String
    /// When it was sent, ISO 8601.
    var sentAt: String
    /// `14:34:50.131`.
    var time: String
    var method: String
    /// Below the backend's base: `/auth/me`.
    var path: String
    /// The whole URL, for the tooltip.
    var fullPath: String
    /// `200`, or `no answer`.
    var status: String
    /// `ok` for 2xx, `bad` from 400 and for no answer, empty for 3xx.
    var statusTone: String
    /// Cause, attempt, condition.
    var chips: [ChipModel]
    /// `2.9 ms`, `171.2 ms`, `1.2 s`.
    var duration: String
    /// Length of the bar, 0 to 64 (the studio) or 80 (the list), by the
    /// logarithm of the time.
    var barLength: String
    /// No answer: the bar is red.
    var failed: Bool
    /// The list only: the app's glyph and name.
    var glyph: GlyphModel?
    var appName: String?
    /// The list only: plain text to copy.
    var curlURL: String?
    /// The list only: `0.4 KB`, `–`.
    var size: String?
    /// The list only, from top to bottom within a group of exchanges that
    /// caused each other: `first`, `middle`, `last`; empty for none.
    var groupPosition: String?
}
