import Traffic
import Web

/// A phase of an exchange in its timing bar.
struct TimingPhase: Encodable, Sendable {
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

    /// DNS lookup, connect, TLS, waiting and download, each with its position in the bar or the
    /// reason why it did not happen.
    static func all(of exchange: Exchange) -> [TimingPhase] {
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
                return TimingPhase(phase: name, duration: reason, shade: "none", isDrawn: false)
            }
            let share = duration / sum * (100 - max(0, gaps))
            defer { x += share + gap }
            return TimingPhase(
                phase: name, duration: Format.phaseDuration(duration), shade: shade, isDrawn: true,
                x: x.twoDecimals, share: max(share, 0.2).twoDecimals)
        }
    }

    /// Percent of the bar: 2 px of about 790.
    private static let gap = 0.25

    /// The timing in one sentence, for a screen reader.
    static func description(of phases: [TimingPhase], total: String) -> String {
        let parts = phases.filter(\.isDrawn).map { "\($0.phase) \($0.duration)" }
        return "\(total) total: " + parts.joined(separator: ", ")
    }
}
