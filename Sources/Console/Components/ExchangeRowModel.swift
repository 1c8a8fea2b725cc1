/// One exchange in a list.
struct ExchangeRowModel: Encodable, Sendable {
    var id: String
    var href: String
    /// When it was sent, ISO 8601.
    var sentAt: String
    /// `14:34:50.131`.
    var time: String
    var method: String
    /// Relative to the backend's base URL: `/auth/me`.
    var path: String
    /// The full URL, for the tooltip.
    var fullPath: String
    /// `200`, or `no answer`.
    var status: String
    /// `ok` for 2xx, `bad` from 400 and without a response, empty for 3xx.
    var statusTone: String
    /// Cause, attempt, fault.
    var chips: [ChipModel]
    /// `2.9 ms`, `171.2 ms`, `1.2 s`.
    var duration: String
    /// The bar's length on a logarithmic time scale, 0 to 64 (studio) or 80 (list).
    var barLength: String
    /// No response; the bar is red.
    var failed: Bool
    /// The list only: the app's glyph and name.
    var glyph: GlyphModel?
    var appName: String?
    /// The list only: plain text to copy.
    var curlURL: String?
    /// The list only: `0.4 KB`, `–`.
    var size: String?
    /// The list only: the position, from top to bottom, in a group of exchanges that caused each
    /// other: `first`, `middle`, `last`; empty for none.
    var groupPosition: String?
}
