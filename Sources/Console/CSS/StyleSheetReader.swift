import Web

/// Parses a style sheet; throws on unclosed blocks, strings, comments and brackets.
struct StyleSheetReader {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var rules: [StyleSheet.Rule] = []
    private(set) var imports: [String] = []
    /// The byte offset of each line's start.
    private let lineStarts: [Int]

    private typealias ParseError = StyleSheet.ParseError

    /// The limit on nested blocks, which are parsed recursively.
    private static let depthLimit = 64
    /// Limits for one sheet. A nested rule's selector includes those of its parents.
    private static let ruleLimit = 5_000
    private static let selectorLengthLimit = 4_000
    private var depth = 0

    /// At-rules that contain rules.
    private static let nestingAtRules = ["@media", "@supports", "@layer", "@container"]

    private static let closingBrackets: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"),
        UInt8(ascii: "{"): UInt8(ascii: "}"),
    ]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lineStarts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    mutating func read() throws(StyleSheet.ParseError) {
        try skipWhitespace()
        while position < bytes.count {
            guard bytes[position] != UInt8(ascii: "}") else {
                throw makeError(at: position, "unexpected }")
            }
            try readItem(in: nil, [])
            try skipWhitespace()
        }
    }

    // MARK: Rules

    /// Reads a rule, an at-rule or, inside a rule, a declaration.
    private mutating func readItem(in rule: Int?, _ conditions: [String]) throws(StyleSheet
        .ParseError)
    {
        let start = position
        let isProperty = bytes[position...].starts(with: "--".utf8)
        let isAtRule = bytes[position] == UInt8(ascii: "@")
        // Only a custom property's value may contain braces.
        try advance(to: isProperty ? ";}" : ";{}")
        guard position < bytes.count else {
            if rule == nil {
                if isAtRule { return recordImport(start..<position) }
                throw makeError(at: start, "rule without a block")
            }
            return
        }
        switch bytes[position] {
        case UInt8(ascii: "{"):
            try readBlock(start..<position, isAtRule: isAtRule, rule, conditions)
        default:
            let end = position
            if bytes[position] == UInt8(ascii: ";") { position += 1 }
            if isAtRule {
                recordImport(start..<end)
            } else if let rule {
                try readDeclaration(start..<end, in: rule)
            } else if bytes[end] != UInt8(ascii: ";") || end > start {
                throw makeError(at: start, "rule without a block")
            }
        }
    }

    /// Reads a block; `position` is at its `{`.
    private mutating func readBlock(
        _ prelude: Range<Int>, isAtRule: Bool, _ rule: Int?, _ conditions: [String]
    ) throws(StyleSheet.ParseError) {
        let openOffset = position
        let preludeText = text(prelude)
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else {
            throw makeError(at: openOffset, "blocks nested more than \(Self.depthLimit) deep")
        }
        if isAtRule {
            let name = preludeText.prefix { $0 != " " && $0 != "(" }.lowercased()
            guard Self.nestingAtRules.contains(name) else {
                try skipBlock(from: openOffset)
                return
            }
            position += 1
            return try readItems(
                openOffset, in: rule, conditions + [preludeText.whitespaceCollapsed])
        }
        guard !preludeText.isEmpty else {
            throw makeError(at: openOffset, "block without a selector")
        }
        let parentSelector = rule.map { rules[$0].selector + " " } ?? ""
        guard parentSelector.utf8.count + preludeText.utf8.count <= Self.selectorLengthLimit,
            rules.count < Self.ruleLimit
        else {
            throw makeError(
                at: prelude.lowerBound,
                rules.count < Self.ruleLimit
                    ? "selector longer than \(Self.selectorLengthLimit) bytes"
                    : "more than \(Self.ruleLimit) rules")
        }
        rules.append(
            .init(
                selector: parentSelector + preludeText, conditions: conditions, declarations: [],
                line: line(at: prelude.lowerBound), blockEnd: openOffset))
        let index = rules.count - 1
        position += 1
        try readItems(openOffset, in: index, conditions)
        rules[index].blockEnd = position - 1
    }

    private mutating func readItems(_ openOffset: Int, in rule: Int?, _ conditions: [String])
        throws(StyleSheet.ParseError)
    {
        while true {
            try skipWhitespace()
            guard position < bytes.count else {
                throw makeError(at: openOffset, "unterminated block")
            }
            switch bytes[position] {
            case UInt8(ascii: "}"):
                position += 1
                return
            case UInt8(ascii: ";"): position += 1
            default: try readItem(in: rule, conditions)
            }
        }
    }

    private mutating func readDeclaration(_ range: Range<Int>, in rule: Int) throws(StyleSheet
        .ParseError)
    {
        guard let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) else {
            throw makeError(
                at: range.lowerBound, "'\(text(range).prefix(40))' is not a declaration")
        }
        let value = trimmedRange(colon + 1..<range.upperBound)
        rules[rule].declarations.append(
            .init(
                name: text(range.lowerBound..<colon),
                value: String(decoding: bytes[value], as: UTF8.self), valueRange: value,
                line: line(at: range.lowerBound)))
    }

    /// Records the URL of `@import url("…")`; ignores other at-rules.
    private mutating func recordImport(_ range: Range<Int>) {
        let statement = text(range)
        guard statement.lowercased().hasPrefix("@import") else { return }
        let parts = statement.split(whereSeparator: { "\"'() ".contains($0) })
        let address = parts.dropFirst().first { $0.lowercased() != "url" }
        if let address { imports.append(String(address)) }
    }

    // MARK: Skipping

    /// Skips the block that opens at `openOffset`.
    private mutating func skipBlock(from openOffset: Int) throws(StyleSheet.ParseError) {
        var depth = 0
        repeat {
            position = depth == 0 ? openOffset + 1 : position + 1
            if depth == 0 { depth = 1 }
            try advance(to: "{}", allowBrackets: false)
            guard position < bytes.count else {
                throw makeError(at: openOffset, "unterminated block")
            }
            depth += bytes[position] == UInt8(ascii: "{") ? 1 : -1
        } while depth > 0
        position += 1
    }

    /// Advances to the first of `ends` outside strings, comments and brackets.
    private mutating func advance(to ends: String, allowBrackets: Bool = true) throws(StyleSheet
        .ParseError)
    {
        var open: [Int] = []
        while position < bytes.count {
            let byte = bytes[position]
            if open.isEmpty, ends.utf8.contains(byte) { return }
            switch byte {
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipString(byte)
            case UInt8(ascii: "/") where isAtComment: try skipComment()
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                if allowBrackets { open.append(position) }
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if allowBrackets {
                    guard let last = open.popLast() else {
                        throw makeError(at: position, "unexpected closing bracket")
                    }
                    guard Self.closingBrackets[bytes[last]] == byte else {
                        throw makeError(at: last, "unterminated bracket")
                    }
                }
            default: break
            }
            position += 1
        }
        position = bytes.count
        if let first = open.first { throw makeError(at: first, "unterminated bracket") }
    }

    /// Skips white space and comments.
    private mutating func skipWhitespace() throws(StyleSheet.ParseError) {
        while position < bytes.count {
            if isAtComment {
                try skipComment()
                position += 1
            } else if Self.isWhitespace(bytes[position])
                || bytes[position...].starts(with: [0xEF, 0xBB, 0xBF])
            {
                position += Self.isWhitespace(bytes[position]) ? 1 : 3
            } else {
                return
            }
        }
    }

    private var isAtComment: Bool { bytes[position...].starts(with: "/*".utf8) }

    /// Advances to the comment's last byte.
    private mutating func skipComment() throws(StyleSheet.ParseError) {
        let openOffset = position
        position += 2
        while position + 1 < bytes.count {
            if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
                position += 1
                return
            }
            position += 1
        }
        throw makeError(at: openOffset, "unterminated comment")
    }

    /// Advances to the string's closing quote.
    private mutating func skipString(_ quote: UInt8) throws(StyleSheet.ParseError) {
        let openOffset = position
        position += 1
        while position < bytes.count, bytes[position] != quote {
            if bytes[position] == UInt8(ascii: "\n") { break }
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count, bytes[position] == quote else {
            throw makeError(at: openOffset, "unterminated string")
        }
    }

    // MARK: Text

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private func trimmedRange(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, Self.isWhitespace(bytes[start]) { start += 1 }
        while end > start, Self.isWhitespace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// The text with white space collapsed.
    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self).whitespaceCollapsed
    }

    private func line(at offset: Int) -> Int {
        var first = 0
        var last = lineStarts.count
        while last - first > 1 {
            let middle = (first + last) / 2
            if lineStarts[middle] <= offset { first = middle } else { last = middle }
        }
        return first + 1
    }

    private func makeError(at offset: Int, _ detail: String) -> StyleSheet.ParseError {
        .init(line: line(at: offset), detail: detail)
    }
}
