import Web

/// A text split at its `{variables}`.
///
/// A variable is a name in braces: letters, digits, `_` and `-`, parts joined by dots. Any other
/// brace is literal.
struct TextTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case plain(String)
        case variable(String)
    }

    private(set) var parts: [Part] = []

    init(_ text: String) {
        var remaining = Substring(text)
        var plain = ""
        while let open = remaining.utf8.firstIndex(of: UInt8(ascii: "{")) {
            plain += remaining[..<open]
            let inside = remaining[open...].dropFirst()
            if let close = inside.utf8.firstIndex(of: UInt8(ascii: "}")),
                Self.isName(inside[..<close])
            {
                if !plain.isEmpty { parts.append(.plain(plain)) }
                plain = ""
                parts.append(.variable(String(inside[..<close])))
                remaining = inside[close...].dropFirst()
            } else {
                plain += "{"
                remaining = inside
            }
        }
        plain += remaining
        if !plain.isEmpty { parts.append(.plain(plain)) }
    }

    /// The variables in order, repetitions included.
    var variableNames: [String] {
        parts.compactMap { if case .variable(let name) = $0 { name } else { nil } }
    }

    /// The variable's name if the text consists of one variable only.
    var soleVariable: String? {
        if parts.count == 1, case .variable(let name) = parts[0] { name } else { nil }
    }

    private static func isName(_ text: Substring) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"),
                        UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
    }
}

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
