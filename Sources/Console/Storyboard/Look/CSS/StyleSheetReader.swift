/// Reads a style sheet from its first byte to its last, and refuses what is
/// never closed.
struct StyleSheetReader {
    private let bytes: [UInt8]
    private var at = 0
    private(set) var rules: [StyleSheet.Rule] = []
    private(set) var imports: [String] = []
    /// Where each line begins.
    private let lines: [Int]

    private typealias Failure = StyleSheet.Failure

    /// Blocks in one another: each is read within the call for the one
    /// around it.
    private static let deepest = 64
    /// Of one sheet. A nested rule's selector holds those around it.
    private static let mostRules = 5_000
    private static let longestSelector = 4_000
    private var depth = 0

    /// At-rules that hold rules.
    private static let around = ["@media", "@supports", "@layer", "@container"]

    private static let closing: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
        UInt8(ascii: "{"): UInt8(ascii: "}"),
    ]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lines = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    mutating func read() throws(StyleSheet.Failure) {
        try skip()
        while at < bytes.count {
            guard bytes[at] != UInt8(ascii: "}") else { throw failure(at, "a } closes nothing") }
            try item(in: nil, [])
            try skip()
        }
    }

    // MARK: Rules

    /// A rule, an at-rule or, inside a rule, a declaration.
    private mutating func item(in rule: Int?, _ conditions: [String]) throws(StyleSheet.Failure) {
        let start = at
        let isProperty = bytes[at...].starts(with: "--".utf8)
        let isAtRule = bytes[at] == UInt8(ascii: "@")
        // A custom property may hold braces; nothing else does.
        try forward(to: isProperty ? ";}" : ";{}")
        guard at < bytes.count else {
            if rule == nil {
                if isAtRule { return noteAtRule(start..<at) }
                throw failure(start, "a rule has no block")
            }
            return
        }
        switch bytes[at] {
        case UInt8(ascii: "{"): try block(start..<at, isAtRule: isAtRule, rule, conditions)
        default:
            let end = at
            if bytes[at] == UInt8(ascii: ";") { at += 1 }
            if isAtRule {
                noteAtRule(start..<end)
            } else if let rule {
                try declaration(start..<end, in: rule)
            } else if bytes[end] != UInt8(ascii: ";") || end > start {
                throw failure(start, "a rule has no block")
            }
        }
    }

    /// What stands between `{`, where reading stands, and its `}`.
    private mutating func block(
        _ prelude: Range<Int>, isAtRule: Bool, _ rule: Int?, _ conditions: [String]
    ) throws(StyleSheet.Failure) {
        let opened = at
        let said = text(prelude)
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw failure(opened, "blocks stand more than \(Self.deepest) deep")
        }
        if isAtRule {
            let name = said.prefix { $0 != " " && $0 != "(" }.lowercased()
            guard Self.around.contains(name) else {
                try closing(opened)
                return
            }
            at += 1
            return try items(opened, in: rule, conditions + [said.trimmed])
        }
        guard !said.isEmpty else { throw failure(opened, "a block has no selector") }
        let outer = rule.map { rules[$0].selector + " " } ?? ""
        guard outer.utf8.count + said.utf8.count <= Self.longestSelector,
            rules.count < Self.mostRules
        else {
            throw failure(
                prelude.lowerBound,
                rules.count < Self.mostRules
                    ? "a selector is longer than \(Self.longestSelector) bytes"
                    : "there are more than \(Self.mostRules) rules")
        }
        rules.append(
            .init(
                selector: outer + said, conditions: conditions, declarations: [],
                line: line(at: prelude.lowerBound), end: opened))
        let index = rules.count - 1
        at += 1
        try items(opened, in: index, conditions)
        rules[index].end = at - 1
    }

    private mutating func items(_ opened: Int, in rule: Int?, _ conditions: [String])
        throws(StyleSheet.Failure)
    {
        while true {
            try skip()
            guard at < bytes.count else { throw failure(opened, "a block is never closed") }
            switch bytes[at] {
            case UInt8(ascii: "}"):
                at += 1
                return
            case UInt8(ascii: ";"): at += 1
            default: try item(in: rule, conditions)
            }
        }
    }

    private mutating func declaration(_ range: Range<Int>, in rule: Int) throws(StyleSheet.Failure)
    {
        guard let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) else {
            throw failure(range.lowerBound, "'\(text(range).prefix(40))' is no declaration")
        }
        let value = trimmed(colon + 1..<range.upperBound)
        rules[rule].declarations.append(
            .init(
                name: text(range.lowerBound..<colon),
                value: String(decoding: bytes[value], as: UTF8.self), range: value,
                line: line(at: range.lowerBound)))
    }

    /// `@import url("…")` is kept, the rest is gone over.
    private mutating func noteAtRule(_ range: Range<Int>) {
        let said = text(range)
        guard said.lowercased().hasPrefix("@import") else { return }
        let parts = said.split(whereSeparator: { "\"'() ".contains($0) })
        let address = parts.dropFirst().first { $0.lowercased() != "url" }
        if let address { imports.append(String(address)) }
    }

    // MARK: Going on

    /// To the `}` of the block that opens here, and past it.
    private mutating func closing(_ opened: Int) throws(StyleSheet.Failure) {
        var depth = 0
        repeat {
            at = depth == 0 ? opened + 1 : at + 1
            if depth == 0 { depth = 1 }
            try forward(to: "{}", allowBrackets: false)
            guard at < bytes.count else { throw failure(opened, "a block is never closed") }
            depth += bytes[at] == UInt8(ascii: "{") ? 1 : -1
        } while depth > 0
        at += 1
    }

    /// To the first of `ends` outside strings, comments and brackets.
    private mutating func forward(to ends: String, allowBrackets: Bool = true) throws(StyleSheet
        .Failure)
    {
        var open: [Int] = []
        while at < bytes.count {
            let byte = bytes[at]
            if open.isEmpty, ends.utf8.contains(byte) { return }
            switch byte {
            case UInt8(ascii: "\\"): at += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"): try string(byte)
            case UInt8(ascii: "/") where opensComment: try comment()
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                if allowBrackets { open.append(at) }
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if allowBrackets {
                    guard let last = open.popLast() else {
                        throw failure(at, "a bracket closes nothing")
                    }
                    guard Self.closing[bytes[last]] == byte else {
                        throw failure(last, "a bracket is never closed")
                    }
                }
            default: break
            }
            at += 1
        }
        at = bytes.count
        if let first = open.first { throw failure(first, "a bracket is never closed") }
    }

    /// Past white space and comments.
    private mutating func skip() throws(StyleSheet.Failure) {
        while at < bytes.count {
            if opensComment {
                try comment()
                at += 1
            } else if Self.isSpace(bytes[at]) || bytes[at...].starts(with: [0xEF, 0xBB, 0xBF]) {
                at += Self.isSpace(bytes[at]) ? 1 : 3
            } else {
                return
            }
        }
    }

    private var opensComment: Bool { bytes[at...].starts(with: "/*".utf8) }

    /// To a comment's last byte.
    private mutating func comment() throws(StyleSheet.Failure) {
        let opened = at
        at += 2
        while at + 1 < bytes.count {
            if bytes[at] == UInt8(ascii: "*"), bytes[at + 1] == UInt8(ascii: "/") {
                at += 1
                return
            }
            at += 1
        }
        throw failure(opened, "a comment is never closed")
    }

    /// To a string's closing quote.
    private mutating func string(_ quote: UInt8) throws(StyleSheet.Failure) {
        let opened = at
        at += 1
        while at < bytes.count, bytes[at] != quote {
            if bytes[at] == UInt8(ascii: "\n") { break }
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard at < bytes.count, bytes[at] == quote else {
            throw failure(opened, "a string is never closed")
        }
    }

    // MARK: Text

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, Self.isSpace(bytes[start]) { start += 1 }
        while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// With one space for every stretch of white space.
    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self).trimmed
    }

    private func line(at place: Int) -> Int {
        var first = 0
        var last = lines.count
        while last - first > 1 {
            let middle = (first + last) / 2
            if lines[middle] <= place { first = middle } else { last = middle }
        }
        return first + 1
    }

    private func failure(_ place: Int, _ detail: String) -> StyleSheet.Failure {
        .init(line: line(at: place), detail: detail)
    }
}

extension String {
    /// With one space for every stretch of white space, and none around it.
    var trimmed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
