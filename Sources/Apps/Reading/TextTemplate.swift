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
                && part.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_-".utf8.contains($0) }
        }
    }
}
