import Apps
import Traffic
import Web

extension ExchangeRowModel {
    /// `base` is removed from the path; `listApp` adds the columns that only the traffic list has.
    init(_ exchange: Exchange, base: String?, listApp: (App?)? = nil) {
        let path = Self.path(exchange, base: base)
        self.init(
            id: exchange.id, href: Links.exchange(exchange.id), sentAt: exchange.startedAt.iso8601,
            time: Format.timeOfDayMilliseconds(exchange.startedAt), method: exchange.method,
            path: Exchange.elidingTokens(path), fullPath: Exchange.elidingTokens(exchange.url),
            status: exchange.status.map(String.init) ?? "no answer",
            statusTone: Self.tone(exchange.status), chips: Self.chips(exchange),
            duration: Format.milliseconds(exchange.timings.total),
            barLength: Format.barLength(exchange.timings.total, most: listApp == nil ? 64 : 80),
            failed: exchange.status == nil)
        if let app = listApp {
            glyph = app.map(GlyphModel.init) ?? .unknown(exchange.app)
            appName = app?.name ?? exchange.app
            curlURL = Links.exchange(exchange.id, "curl")
            size = exchange.status == nil ? "–" : Format.size(exchange.responseBytes)
            groupPosition = ""
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

    /// The path and query, relative to the backend's base URL.
    static func path(_ exchange: Exchange, base: String?) -> String {
        Format.path(exchange.pathAndQuery, below: base)
    }

    static func chips(_ exchange: Exchange) -> [ChipModel] {
        var chips = [causeChip(exchange.cause)]
        if exchange.attempt > 1 {
            chips.append(ChipModel(text: "attempt \(exchange.attempt)", tone: .neutral))
        }
        if let fault = exchange.fault {
            chips.append(ChipModel(text: fault, tone: .warn))
        }
        return chips
    }

    static func causeChip(_ cause: ExchangeContext.Cause) -> ChipModel {
        switch cause {
        case .refresh: ChipModel(text: "silent refresh", tone: .accent)
        case .manual: ChipModel(text: "by hand", tone: .neutral)
        default: ChipModel(text: cause.rawValue, tone: .neutral)
        }
    }
}
