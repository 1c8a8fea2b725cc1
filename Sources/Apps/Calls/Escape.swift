import Web

/// Escapes a variable's value for its position in a request.
enum Escape {
    /// RFC 3986, 2.3: encodes everything but the unreserved characters, so that a value can neither
    /// end a path segment nor begin a query.
    static func urlComponent(_ text: String) -> String { PercentEncoding.encode(text) }

    /// `application/x-www-form-urlencoded` (WHATWG URL, 5.2).
    static func formValue(_ text: String) -> String {
        PercentEncoding.encode(text, spaceAsPlus: true)
    }

    /// Whether a header field may carry `text` (RFC 9110, 5.5): no CR, LF or NUL, and no other
    /// control character except tab.
    static func isHeaderValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
