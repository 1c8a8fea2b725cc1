/// A text cut at its `{variables}`.
///
/// A variable is a name in braces: letters, digits, `_` and `-`, parts joined
/// by points. Any other brace is a brace.
struct TextTemplate: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case plain(String)
        case variable(String)
    }

    private(set) var parts: [Part] = []

    init(_ text: String) {
        var rest = Substring(text)
        var plain = ""
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            plain += rest[..<open]
            let inside = rest[open...].dropFirst()
            if let close = inside.utf8.firstIndex(of: UInt8(ascii: "}")),
                Self.isName(inside[..<close])
            {
                if !plain.isEmpty { parts.append(.plain(plain)) }
                plain = ""
                parts.append(.variable(String(inside[..<close])))
                rest = inside[close...].dropFirst()
            } else {
                plain += "{"
                rest = inside
            }
        }
        plain += rest
        if !plain.isEmpty { parts.append(.plain(plain)) }
    }

    /// The variables, in order, as often as they stand there.
    var variableNames: [String] {
        parts.compactMap { if case .variable(let name) = $0 { name } else { nil } }
    }

    /// The one variable the whole text is.
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
