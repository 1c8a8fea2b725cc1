extension Format {
    /// `401 Unauthorized` (RFC 9110, 15, and the IANA registry); an unknown status is the number
    /// alone.
    package static func status(_ status: Int) -> String {
        statusNames[status].map { "\(status) \($0)" } ?? String(status)
    }

    private static let statusNames = [
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
}

extension Format {
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
