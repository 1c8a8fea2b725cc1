import Templates
import Traffic
import Web

/// Parts of the page of an exchange: the attempts and the phases of the call.
enum ExchangeModel {
    struct Phase: Encodable, Sendable {
        /// `DNS lookup`.
        var phase: String
        /// `0.02 ms`, or why it did not happen: `Skipped (loopback)`.
        var duration: String
        /// `1`, `2`, `3` (TLS: `2`; body: `3`), `first` for the first byte, `none` if it did not
        /// happen.
        var shade: String
        var isDrawn: Bool
        /// Start and length in percent of the bar; nil when not drawn.
        var x: String?
        var share: String?
    }
}

/// The attempts at one call, in order.
extension ExchangeModel {
    /// The exchanges among `related` with the same call as `exchange`, oldest first; empty if it is
    /// the only one.
    static func attempts(of exchange: Exchange, among related: [Exchange]) -> [TemplateModel] {
        let attempts = related.filter { $0.call == exchange.call && $0.method == exchange.method }
        guard attempts.count > 1 else { return [] }
        return zip(1..., attempts).map { number, item in
            var parts = ["\(number) of \(attempts.count)"]
            if let label = resendLabel(item.cause) { parts.append(label) }
            parts.append(item.status.map(String.init) ?? "no response")
            return [
                "attempt": parts.joined(separator: ", "),
                "attemptURL": item.id == exchange.id ? nil : Links.exchange(item.id),
            ]
        }
    }

    /// How it was sent from the console; such an exchange is no attempt by the app.
    private static func resendLabel(_ cause: ExchangeContext.Cause) -> String? {
        switch cause {
        case .replay: "resent"
        case .manual: "edited and resent"
        default: nil
        }
    }
}

/// The phases of an exchange.
extension ExchangeModel {
    /// DNS lookup, connect, TLS, waiting and download, each with its position in the bar or the
    /// reason why it did not happen.
    static func phases(_ exchange: Exchange) -> [Phase] {
        let timings = exchange.timings
        let url = URLParts(exchange.url)
        let isTLS = url.scheme == "https"
        let isReused = timings.connect == nil && exchange.status != nil
        let parts = [timings.nameLookup, timings.connect, timings.tls, timings.firstByte]
        let before = parts.compactMap(\.self).reduce(0, +)
        let body = timings.firstByte.map { _ in max(0, timings.total - before) }
        let skipReason = isReused ? "Reused connection" : "Not reached"
        let all: [(String, Double?, String, String)] = [
            (
                "DNS lookup", timings.nameLookup, "1",
                timings.connect == nil ? skipReason : "Skipped (IP address)"
            ), ("Connect", timings.connect, "2", skipReason),
            (
                "TLS", timings.tls, "2",
                isTLS ? skipReason : url.isLoopback ? "Skipped (loopback)" : "Skipped (http)"
            ), ("Waiting (TTFB)", timings.firstByte, "first", "None"),
            ("Content download", body, "3", "None"),
        ]
        let sum = max(all.compactMap { $0.1 }.reduce(0, +), 0.001)
        let gaps = Double(all.filter { $0.1 != nil }.count - 1) * gap
        var x = 0.0
        return all.map { name, duration, shade, reason in
            guard let duration else {
                return Phase(phase: name, duration: reason, shade: "none", isDrawn: false)
            }
            let share = duration / sum * (100 - max(0, gaps))
            defer { x += share + gap }
            return Phase(
                phase: name, duration: Format.phaseDuration(duration), shade: shade, isDrawn: true,
                x: x.twoDecimals, share: max(share, 0.2).twoDecimals)
        }
    }

    /// Percent of the bar: 2 px of about 790.
    private static let gap = 0.25

    static func makeTimingDescription(_ phases: [Phase], total: String) -> String {
        let parts = phases.filter(\.isDrawn).map { "\($0.phase) \($0.duration)" }
        return "\(total) total: " + parts.joined(separator: ", ")
    }
}
