import Core
import FoundationEssentials
import Web

extension Format {
    /// A clock's offset from the system time: `real time`, `+15 min`, `−2 d 3 h`, `frozen`,
    /// `frozen, +1 h`.
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
        let total = Int(clamping: seconds.magnitude.rounded())
        let units = [
            (total / 86_400, "d"), (total / 3_600 % 24, "h"), (total / 60 % 60, "min"),
            (total % 60, "s"),
        ]
        let words = units.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return (seconds < 0 ? "−" : "+") + words.joined(separator: " ")
    }
}
