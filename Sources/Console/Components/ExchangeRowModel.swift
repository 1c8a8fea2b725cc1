import Traffic
import Web

extension ExchangeRowModel {
    /// `base` is removed from the path. The columns that only the traffic list has are not set.
    init(_ exchange: Exchange, base: String?, barWidth: Int = 64) {
        let path = Format.path(exchange.pathAndQuery, below: base)
        self.init(
            id: exchange.id, href: Links.exchange(exchange.id), sentAt: exchange.startedAt.iso8601,
            time: Format.timeOfDayMilliseconds(exchange.startedAt), method: exchange.method,
            path: Exchange.elidingTokens(path), fullPath: Exchange.elidingTokens(exchange.url),
            status: exchange.status.map(String.init) ?? "No response",
            statusTone: Self.tone(exchange.status), chips: Self.chips(exchange),
            duration: Format.milliseconds(exchange.timings.total),
            barLength: Format.barLength(exchange.timings.total, most: barWidth),
            failed: exchange.status == nil)
    }

    static func tone(_ status: Int?) -> String {
        switch status {
        case nil, .some(400...): "bad"
        case .some(200..<300): "ok"
        default: ""
        }
    }

    static func chips(_ exchange: Exchange) -> [ChipModel] {
        var chips = [causeChip(exchange.cause)]
        if exchange.attempt > 1 {
            chips.append(ChipModel(text: "Retry \(exchange.attempt)", tone: .neutral))
        }
        if let fault = exchange.fault { chips.append(ChipModel(text: fault, tone: .warn)) }
        if let rule = exchange.ruleLabel { chips.append(ChipModel(text: rule, tone: .warn)) }
        return chips
    }

    static func causeChip(_ cause: ExchangeContext.Cause) -> ChipModel {
        ChipModel(text: cause.label, tone: cause == .refresh ? .accent : .neutral)
    }
}

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
    /// `200`, or `No response`.
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
    // The traffic list only.

    var glyph: GlyphModel?
    var appName: String?
    /// Plain text to copy.
    var curlURL: String?
    /// Where the form that deletes it is posted to.
    var deleteURL: String?
    /// `127.0.0.1:7071`.
    var host: String?
    /// `0.4 KB`, `–`.
    var size: String?
    /// The position, from top to bottom, in a group of exchanges that caused each
    /// other: `first`, `middle`, `last`; empty for none.
    var groupPosition: String?
}
