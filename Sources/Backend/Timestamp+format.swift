extension Timestamp {
    /// The time between two timestamps as display text: `12 s`, `4 min`, `3 h`.
    func durationText(to other: Timestamp) -> String {
        let seconds = abs(other.milliseconds - milliseconds) / 1_000
        return switch seconds {
        case 0..<120: "\(seconds) s"
        case 120..<7_200: "\(seconds / 60) min"
        case 7_200..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

extension Int {
    /// `1st`, `2nd`, `3rd`, `4th`, `11th` …
    var ordinal: String {
        switch (self % 10, self % 100) {
        case (_, 11...13): "\(self)th"
        case (1, _): "\(self)st"
        case (2, _): "\(self)nd"
        case (3, _): "\(self)rd"
        default: "\(self)th"
        }
    }
}
