package import FoundationEssentials

/// Formats numbers, times and sizes for display.
///
/// Times are in UTC; a script of a page converts them to the browser's zone.
package enum Format {
    /// `14:35:27`, UTC, for a `<time>` element with the full date in an attribute.
    package static func timeOfDay(_ date: Date) -> String {
        let seconds = Int(clamping: date.timeIntervalSince1970.rounded(.down))
        let day = ((seconds % 86_400) + 86_400) % 86_400
        return [day / 3_600, day / 60 % 60, day % 60].map(twoDigits).joined(separator: ":")
    }

    /// `2026-11-21`, UTC.
    package static func date(_ date: Date) -> String { String(date.iso8601.prefix(10)) }

    /// `2026-11-21 14:35:27 UTC`, for sentences; complete, so that a script can convert it.
    package static func dateTime(_ date: Date) -> String {
        self.date(date) + " " + timeOfDay(date) + " UTC"
    }

    /// `2026-11-21 14:34:50.131 UTC`.
    package static func dateTimeMilliseconds(_ date: Date) -> String {
        self.date(date) + " " + timeOfDayMilliseconds(date) + " UTC"
    }

    /// `14:34:50.131`, UTC.
    package static func timeOfDayMilliseconds(_ date: Date) -> String {
        let milliseconds = Int(clamping: (date.timeIntervalSince1970 * 1_000).rounded(.down))
        let remainder = ((milliseconds % 1_000) + 1_000) % 1_000
        let digits = String(remainder)
        return timeOfDay(date) + "." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// `37 s`, `2 min`, `5 h`, `3 d`: whole units, the largest that fits.
    package static func duration(_ seconds: Double) -> String {
        let seconds = Int(clamping: max(0, seconds).rounded(.down))
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// `37 s ago`; for a future date like `age`.
    package static func ago(_ date: Date, _ now: Date) -> String {
        age(date, now) + (isAhead(date, now) ? "" : " ago")
    }

    /// `37 s`; `in 49 min` for a future date, possible after a clock was set back.
    package static func age(_ date: Date, _ now: Date) -> String {
        let age = now.timeIntervalSince(date)
        return isAhead(date, now) ? "in " + duration(-age) : duration(age)
    }

    /// Differences under 2 s do not count: two clocks of one machine may be a second apart.
    private static func isAhead(_ date: Date, _ now: Date) -> Bool {
        now.timeIntervalSince(date) <= -2
    }

    /// `2 h`, `90 min`, `100 s`: the largest unit without a remainder.
    package static func exactDuration(_ seconds: Int) -> String {
        switch seconds {
        case let total where total > 0 && total.isMultiple(of: 86_400): "\(total / 86_400) d"
        case let total where total > 0 && total.isMultiple(of: 3_600): "\(total / 3_600) h"
        case let total where total > 0 && total.isMultiple(of: 60): "\(total / 60) min"
        default: "\(seconds) s"
        }
    }

    /// `4:23`, `52:08`, `6 d`, and `−0:12` for the past.
    package static func countdown(_ seconds: Double) -> String {
        let past = seconds < 0
        let total = Int(clamping: seconds.magnitude.rounded(.down))
        let sign = past ? "−" : ""
        if total >= 86_400 { return sign + "\(total / 86_400) d" }
        if total >= 3_600 { return sign + "\(total / 3_600) h" }
        return sign + "\(total / 60):" + twoDigits(total % 60)
    }

    /// `0.1 ms`, `171.2 ms`, `1.2 s`.
    package static func milliseconds(_ value: Double) -> String {
        value < 1_000 ? oneDecimal(value) + " ms" : oneDecimal(value / 1_000) + " s"
    }

    /// `3 s`, `0.5 s`.
    package static func seconds(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(clamping: seconds)) s" : "\(oneDecimal(seconds)) s"
    }

    /// `612 B`, `1.2 KB`, `3.4 MB`.
    package static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: oneDecimal(Double(bytes) / 1_000) + " KB"
        default: oneDecimal(Double(bytes) / 1_000_000) + " MB"
        }
    }

    /// `1,284`.
    package static func count(_ number: Int) -> String {
        var digits = String(number)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = String(digits.dropLast(3))
        }
        return ([Substring(digits)] + groups).joined(separator: ",")
    }

    /// `1,234`; `1,234+` where counting stopped early.
    package static func count(_ number: Int, isExact: Bool) -> String {
        count(number) + (isExact ? "" : "+")
    }

    /// `1 item`, `4 items`.
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String
    { number == 1 ? "1 \(singular)" : "\(count(number)) \(plural ?? singular + "s")" }

    package static func oneDecimal(_ value: Double) -> String {
        let tenths = Int(clamping: (value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    /// `401 Unauthorized`; an unknown status is the number alone.
    package static func status(_ status: Int) -> String {
        reasonPhrases[status].map { "\(status) \($0)" } ?? String(status)
    }

    /// RFC 9110, 15, and the IANA registry.
    package static let reasonPhrases = [
        100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted",
        203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content",
        206: "Partial Content", 300: "Multiple Choices", 301: "Moved Permanently", 302: "Found",
        303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        418: "I'm a teapot", 421: "Misdirected Request", 422: "Unprocessable Content",
        423: "Locked", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]

    /// `0.02 ms`, `171.2 ms`, `1.2 s`: the duration of one phase of an exchange.
    package static func phaseDuration(_ milliseconds: Double) -> String {
        guard milliseconds < 10 else { return self.milliseconds(milliseconds) }
        return max(0, milliseconds).twoDecimals + " ms"
    }

    /// `path` relative to the longest of `roots` that contains it; the full path if none does.
    package static func path(_ path: String, below roots: [String]) -> String {
        let address = URLParts(path)
        let suffixes = roots.compactMap { address.suffix(below: $0) }
        let shortest = suffixes.min { $0.utf8.count < $1.utf8.count } ?? path[...]
        return shortest.hasPrefix("/") ? String(shortest) : "/" + shortest
    }

    /// `path` relative to the path of the URL `base`.
    package static func path(_ path: String, below base: String?) -> String {
        let root = base.map { String(URLParts($0).path) }
        return Format.path(path, below: root.map { [$0] } ?? [])
    }
}
