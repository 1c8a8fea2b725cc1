import Web

/// Parses a style sheet; throws on unclosed blocks, strings, comments and brackets.
struct StyleSheetReader {
    private typealias ParseError = StyleSheet.ParseError

    private let bytes: [UInt8]
    private var position = 0
    private(set) var rules: [StyleSheet.Rule] = []
    private(set) var imports: [String] = []
    /// The line of a position that was read before.
    private var lastLine = (position: 0, number: 1)
    private var depth = 0

    /// The limit on nested blocks, which are parsed recursively.
    private static let depthLimit = 64
    /// Limits for one sheet. A nested rule's selector includes those of its parents.
    private static let ruleLimit = 5_000
    private static let selectorLengthLimit = 4_000
    private static let closingBrackets: [Unicode.Scalar: Unicode.Scalar] = [
        "(": ")", "[": "]", "{": "}",
    ]
    /// At-rules that contain rules.
    private static let nestingAtRules = ["@media", "@supports", "@layer", "@container"]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws(StyleSheet.ParseError) { try readItems(of: nil, in: nil, []) }

    // MARK: Rules

    /// Reads the items of the block that opens at `open`, or of the sheet.
    private mutating func readItems(of open: Int?, in rule: Int?, _ conditions: [String])
        throws(ParseError)
    {
        while true {
            try skipWhitespace()
            switch next {
            case nil:
                guard let open else { return }
                throw makeError(at: open, "unterminated block")
            case "}":
                guard open != nil else { throw makeError(at: position, "unexpected }") }
                position += 1
                return
            case ";": position += 1
            default: try readItem(in: rule, conditions)
            }
        }
    }

    /// Reads a rule, an at-rule or, inside a rule, a declaration.
    private mutating func readItem(in rule: Int?, _ conditions: [String]) throws(ParseError) {
        let start = position
        let isAtRule = next == "@"
        // Only a custom property's value may contain braces.
        let isProperty = starts(with: "--")
        try advance(to: isProperty ? [";", "}"] : [";", "{", "}"])
        let item = start..<position
        if next == "{" {
            return isAtRule
                ? try readAtRule(item, in: rule, conditions)
                : try readRule(item, in: rule, conditions)
        }
        if isAtRule {
            recordImport(text(item))
        } else if let rule {
            // A block that does not end has an error of its own.
            if next != nil { try readDeclaration(item, in: rule) }
        } else {
            throw makeError(at: start, "rule without a block")
        }
    }

    /// Reads the block of an at-rule; skips it unless it contains rules.
    private mutating func readAtRule(_ prelude: Range<Int>, in rule: Int?, _ conditions: [String])
        throws(ParseError)
    {
        let open = position
        try enterBlock()
        defer { depth -= 1 }
        let name = text(prelude).prefix { $0 != " " && $0 != "(" }.lowercased()
        if Self.nestingAtRules.contains(name) {
            return try readItems(of: open, in: rule, conditions + [text(prelude)])
        }
        var openCount = 1
        while openCount > 0 {
            try advance(to: ["{", "}"], skipsBrackets: false)
            guard next != nil else { throw makeError(at: open, "unterminated block") }
            openCount += next == "{" ? 1 : -1
            position += 1
        }
    }

    private mutating func readRule(_ prelude: Range<Int>, in rule: Int?, _ conditions: [String])
        throws(ParseError)
    {
        let open = position
        try enterBlock()
        defer { depth -= 1 }
        guard !prelude.isEmpty else { throw makeError(at: open, "block without a selector") }
        let selector = (rule.map { rules[$0].selector + " " } ?? "") + text(prelude)
        guard rules.count < Self.ruleLimit else {
            throw makeError(at: prelude.lowerBound, "more than \(Self.ruleLimit) rules")
        }
        guard selector.utf8.count <= Self.selectorLengthLimit else {
            throw makeError(
                at: prelude.lowerBound, "selector longer than \(Self.selectorLengthLimit) bytes")
        }
        let index = rules.count
        rules.append(
            .init(
                selector: selector, conditions: conditions, declarations: [],
                line: line(at: prelude.lowerBound), blockEnd: open))
        try readItems(of: open, in: index, conditions)
        rules[index].blockEnd = position - 1
    }

    private mutating func enterBlock() throws(ParseError) {
        depth += 1
        guard depth <= Self.depthLimit else {
            throw makeError(at: position, "blocks nested more than \(Self.depthLimit) deep")
        }
        position += 1
    }

    private mutating func readDeclaration(_ range: Range<Int>, in rule: Int) throws(ParseError) {
        guard let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) else {
            throw makeError(
                at: range.lowerBound, "'\(text(range).prefix(40))' is not a declaration")
        }
        var value = bytes[(colon + 1)..<range.upperBound]
        value = value.drop(while: Self.isWhitespace)
        while let last = value.last, Self.isWhitespace(last) { value.removeLast() }
        rules[rule].declarations.append(
            .init(
                name: text(range.lowerBound..<colon), value: String(decoding: value, as: UTF8.self),
                valueRange: value.indices, line: line(at: range.lowerBound)))
    }

    /// Records the URL of `@import url("…")`; ignores other at-rules.
    private mutating func recordImport(_ statement: String) {
        guard statement.lowercased().hasPrefix("@import") else { return }
        let parts = statement.split(whereSeparator: { "\"'() ".contains($0) })
        let address = parts.dropFirst().first { $0.lowercased() != "url" }
        if let address { imports.append(String(address)) }
    }

    // MARK: Skipping

    /// Advances to the first of `ends` outside strings, comments and brackets, or to the end.
    private mutating func advance(to ends: [Unicode.Scalar], skipsBrackets: Bool = true)
        throws(ParseError)
    {
        var open: [Int] = []
        while let scalar = next, !(open.isEmpty && ends.contains(scalar)) {
            switch scalar {
            case "\\": position += 1
            case "\"", "'": try skipString()
            case "/" where starts(with: "/*"): try skipComment()
            case "(" where skipsBrackets, "[" where skipsBrackets, "{" where skipsBrackets:
                open.append(position)
            case ")" where skipsBrackets, "]" where skipsBrackets, "}" where skipsBrackets:
                guard let last = open.popLast() else {
                    throw makeError(at: position, "unexpected closing bracket")
                }
                guard Self.closingBrackets[Unicode.Scalar(bytes[last])] == scalar else {
                    throw makeError(at: last, "unterminated bracket")
                }
            default: break
            }
            position += 1
        }
        position = min(position, bytes.count)
        if let first = open.first { throw makeError(at: first, "unterminated bracket") }
    }

    /// Skips white space, comments and byte order marks.
    private mutating func skipWhitespace() throws(ParseError) {
        while position < bytes.count {
            if starts(with: "/*") {
                try skipComment()
                position += 1
            } else if Self.isWhitespace(bytes[position]) {
                position += 1
            } else if starts(with: "\u{FEFF}") {
                position += 3
            } else {
                return
            }
        }
    }

    /// Advances to the comment's last byte.
    private mutating func skipComment() throws(ParseError) {
        guard let end = bytes[(position + 2)...].firstRange(of: "*/".utf8) else {
            throw makeError(at: position, "unterminated comment")
        }
        position = end.upperBound - 1
    }

    /// Advances to the string's closing quote.
    private mutating func skipString() throws(ParseError) {
        let open = position
        position += 1
        while let scalar = next, scalar != "\n", bytes[position] != bytes[open] {
            position += scalar == "\\" ? 2 : 1
        }
        guard next != nil, bytes[position] == bytes[open] else {
            throw makeError(at: open, "unterminated string")
        }
    }

    // MARK: Text

    /// The byte at the position, as a character; nil at the end.
    private var next: Unicode.Scalar? {
        position < bytes.count ? Unicode.Scalar(bytes[position]) : nil
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    /// The text with white space collapsed.
    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self).whitespaceCollapsed
    }

    private mutating func line(at offset: Int) -> Int {
        lastLine.number += bytes[lastLine.position..<offset].count { $0 == 0x0A }
        lastLine.position = offset
        return lastLine.number
    }

    private func makeError(at offset: Int, _ detail: String) -> ParseError {
        .init(line: bytes[..<offset].count { $0 == 0x0A } + 1, detail: detail)
    }
}
