import FoundationEssentials

/// The header fields the mail would be sent with (RFC 5322).
enum MailHeaders {
    /// `to` is a validated address, so no field can contain a line break.
    static func fields(from: String, to: String, subject: String, id: String, at now: Timestamp)
        -> [(
            name: String, value: String
        )]
    {
        [
            ("Date", date(now)), ("From", from), ("To", "<\(to)>"),
            ("Subject", subject), ("Message-ID", "<\(id)>"),
            ("MIME-Version", "1.0"),
            ("Content-Type", "multipart/alternative"),
        ]
    }

    /// RFC 5322, 3.3: `Sat, 21 Nov 2026 14:35:00 +0000`.
    static func date(_ timestamp: Timestamp) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .weekday], from: timestamp.date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let time = [parts.hour, parts.minute, parts.second].map {
            let digits = String($0 ?? 0)
            return digits.count < 2 ? "0" + digits : digits
        }
        return """
            \(days[(parts.weekday ?? 1) - 1]), \(parts.day ?? 1) \
            \(months[(parts.month ?? 1) - 1]) \(parts.year ?? 0) \
            \(time.joined(separator: ":")) +0000
            """
    }
}
