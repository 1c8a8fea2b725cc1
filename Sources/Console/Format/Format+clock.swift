import Core
import FoundationEssentials
import Web

extension Format {
    /// How a clock stands beside the real one: `real time`, `+15 min`,
    /// `−2 d 3 h`, `frozen`, `frozen, +1 h`.
    static func clockStatus(_ clock: Clock) -> String {
        let offset = clock.offset.rounded()
        let words = offset == 0 ? nil : signedDuration(offset)
        guard clock.frozenAt == nil else {
            return ["frozen", words].compactMap(\.self).joined(separator: ", ")
        }
        return words ?? "real time"
    }

    /// `+15 min`, `+1 h 5 min`, `−2 d`: the two largest units.
    static func signedDuration(_ seconds: Double) -> String {
        let whole = Int(clamping: seconds.magnitude.rounded())
        let units = [
            (whole / 86_400, "d"), (whole / 3_600 % 24, "h"), (whole / 60 % 60, "min"),
            (whole % 60, "s"),
        ]
        let words = units.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return (seconds < 0 ? "−" : "+") + words.joined(separator: " ")
    }
}
