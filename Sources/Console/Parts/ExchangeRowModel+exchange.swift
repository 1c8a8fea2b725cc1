import Apps
import Traffic
import Web

extension ExchangeRowModel {
    /// `base` is cut off the path; `list` adds what only the long list has.
    init(_ exchange: Exchange, base: String?, list: (App?)? = nil) {
        let path = Self.path(exchange, base: base)
        self.init(
            id: exchange.id, href: Links.exchange(exchange.id), at: exchange.startedAt.iso8601,
            time: Words.clockMilliseconds(exchange.startedAt), method: exchange.method,
            path: Exchange.shortened(path), fullPath: Exchange.shortened(exchange.url),
            status: exchange.status.map(String.init) ?? "no answer",
            statusTone: Self.tone(exchange.status), chips: Self.chips(exchange),
            total: Words.milliseconds(exchange.timings.total),
            bar: Words.bar(exchange.timings.total, most: list == nil ? 64 : 80),
            failed: exchange.status == nil)
        if let app = list {
            glyph = app.map(GlyphModel.init) ?? .unknown(exchange.app)
            appName = app?.name ?? exchange.app
            curlURL = Links.exchange(exchange.id, "curl")
            size = exchange.status == nil ? "–" : Words.size(exchange.responseBytes)
            bracket = ""
        }
    }

    static func tone(_ status: Int?) -> String {
        switch status {
        case nil: "bad"
        case .some(400...): "bad"
        case .some(200..<300): "ok"
        default: ""
        }
    }

    /// The URL below the backend's base.
    static func path(_ exchange: Exchange, base: String?) -> String {
        Words.path(exchange.path, below: base)
    }

    static func chips(_ exchange: Exchange) -> [ChipModel] {
        var chips = [cause(exchange.cause)]
        if exchange.attempt > 1 {
            chips.append(ChipModel(text: "attempt \(exchange.attempt)", tone: .neutral))
        }
        if let condition = exchange.condition {
            chips.append(ChipModel(text: condition, tone: .warn))
        }
        return chips
    }

    static func cause(_ cause: ExchangeContext.Cause) -> ChipModel {
        switch cause {
        case .refresh: ChipModel(text: "silent refresh", tone: .accent)
        case .hand: ChipModel(text: "by hand", tone: .neutral)
        default: ChipModel(text: cause.rawValue, tone: .neutral)
        }
    }
}
