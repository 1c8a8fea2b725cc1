import Web

/// Parses JSON5 (spec.json5.org, 1.0) into a `JSON5Document`.
///
/// Tests compare it with Foundation's decoder. Unlike that decoder it preserves order and lines and
/// rejects duplicate keys.
struct JSON5Parser {
    /// A syntax error with its line.
    struct Failure: Error, Equatable {
        var line: Int
        var detail: String
        var fix: String
    }

    /// Nesting limit of objects and lists, so that no manifest can exhaust the stack.
    private static let maxDepth = 64
    /// Limit for the members of one object and the elements of one list: the loader compares them
    /// pairwise.
    private static let maxMembers = 1_000

    private var rest: Substring.UnicodeScalarView
    private let isUTF8: Bool
    private var line = 1
    private var lines: [[String]: Int] = [:]
    /// The path of the value that is parsed.
    private var path: [String] = []
    /// Errors after which parsing continued.
    private var failures: [Failure] = []
    /// The members of the outermost object that were parsed.
    private var topLevelMembers: [JSON.Member] = []

    private init(_ bytes: [UInt8]) {
        let text = String(validating: bytes, as: UTF8.self)
        isUTF8 = text != nil
        rest = (text ?? String(decoding: bytes, as: UTF8.self))[...].unicodeScalars
    }

    /// Parses the document's one value; throws its first error.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> JSON5Document {
        let (document, _, failures) = parseAll(bytes)
        if let failure = failures.first { throw failure }
        return document
    }

    /// Parses the document's one value and finds as many errors as it can: a duplicate key, a
    /// missing comma and an unquoted word do not end it. After another error the document is not
    /// complete and has the outermost object's members up to there.
    static func parseAll(_ bytes: [UInt8]) -> (
        document: JSON5Document, isComplete: Bool, failures: [Failure]
    ) {
        var parser = JSON5Parser(bytes)
        do throws(Failure) {
            let value = try parser.document()
            return (JSON5Document(json: value, lines: parser.lines), true, parser.failures)
        } catch {
            parser.continueAfter(error)
            return (
                JSON5Document(json: .object(parser.topLevelMembers), lines: parser.lines), false,
                parser.failures
            )
        }
    }

    private mutating func document() throws(Failure) -> JSON {
        try skipTrivia()
        let value = try value()
        try skipTrivia()
        guard rest.isEmpty else {
            throw failure(
                "Text after the manifest's closing brace",
                "Close the manifest once, with nothing after it.")
        }
        return value
    }

    /// Records an error; a second one on a line is usually a consequence of the first.
    private mutating func continueAfter(_ failure: Failure) {
        if failures.count < 50, failures.last?.line != failure.line { failures.append(failure) }
    }

    // MARK: Values

    private mutating func value() throws(Failure) -> JSON {
        // A member's line is that of its key.
        lines[path] = lines[path] ?? line
        switch rest.first {
        case nil: throw failure("Unexpected end of file", "Close every brace, bracket and quote.")
        case "{"?: return .object(try object())
        case "["?:
            return .array(
                try parts(until: "]", "elements") { parser, index throws(Failure) in
                    parser.path.append(String(index))
                    return (try parser.value(), "an array element")
                })
        case "\""?, "'"?: return .string(try string())
        case let scalar? where Self.isDigit(scalar) || "+-.".unicodeScalars.contains(scalar):
            return try number()
        default:
            let word = try identifier()
            switch word {
            case "true": return .bool(true)
            case "false": return .bool(false)
            case "null": return .null
            default:
                let literal = SpellingSuggestion.nearestName(
                    to: word, in: ["true", "false", "null"])
                continueAfter(
                    failure(
                        "Invalid value \(word)",
                        literal.map { "Did you mean \($0)?" } ?? "Put text in quotes: '\(word)'."))
                return .string(word)
            }
        }
    }

    private mutating func object() throws(Failure) -> [JSON.Member] {
        var names: Set<String> = []
        let members = try parts(until: "}", "members") {
            parser, _ throws(Failure) -> (JSON.Member, words: String) in
            let line = parser.line
            let isQuoted = parser.rest.first == "\"" || parser.rest.first == "'"
            let name = isQuoted ? try parser.string() : try parser.identifier()
            let isDuplicate = !names.insert(name).inserted
            if isDuplicate {
                parser.continueAfter(
                    parser.failure("Duplicate key \(name)", "Keep one of them.", at: line))
            }
            try parser.skipTrivia()
            guard parser.rest.take(":") else {
                throw parser.failure("Expected : after \(name)", "Write \(name): …")
            }
            try parser.skipTrivia()
            parser.path.append(name)
            if !isDuplicate { parser.lines[parser.path] = line }
            let member = JSON.Member(name, try parser.value())
            if parser.path.count == 1, !isDuplicate { parser.topLevelMembers.append(member) }
            return (member, "the value of \(name)")
        }
        return members.count == names.count ? members : Self.withoutDuplicates(members)
    }

    /// Of members with the same name, the longest: an empty one would cause further errors.
    private static func withoutDuplicates(_ members: [JSON.Member]) -> [JSON.Member] {
        func length(_ member: JSON.Member) -> Int { member.value.description.utf8.count }
        return Dictionary(grouping: members.enumerated(), by: \.element.name).values.compactMap {
            same -> (offset: Int, element: JSON.Member)? in
            same.first.map { first in
                let longest = same.max { length($0.element) < length($1.element) }
                return (first.offset, longest?.element ?? first.element)
            }
        }.sorted { $0.offset < $1.offset }.map(\.element)
    }

    /// The parts of an object or array up to its bracket `close`; `read` adds the part's name to
    /// the path, and also returns the words for it in an error.
    private mutating func parts<Part>(
        until close: Unicode.Scalar, _ plural: String,
        _ read: (inout JSON5Parser, _ index: Int) throws(Failure) -> (Part, words: String)
    ) throws(Failure) -> [Part] {
        rest.removeFirst()
        guard path.count < Self.maxDepth else {
            throw failure("Values nested more than \(Self.maxDepth) deep", "Flatten the manifest.")
        }
        var parts: [Part] = []
        try skipTrivia()
        while !rest.take(close) {
            let (part, words) = try read(&self, parts.count)
            path.removeLast()
            parts.append(part)
            guard parts.count <= Self.maxMembers else {
                throw failure(
                    "More than \(Self.maxMembers) values in one object or array", "Remove some.")
            }
            try skipTrivia()
            if rest.take(",") {
                try skipTrivia()
            } else if rest.first != close {
                let failure = failure(
                    "Expected , or \(close) after \(words)", "Put a comma between \(plural).")
                guard let next = rest.first, !"}]:/".unicodeScalars.contains(next) else {
                    throw failure
                }
                continueAfter(failure)
            }
        }
        return parts
    }

    /// A number: decimal or hexadecimal, a sign, a leading or trailing point.
    private mutating func number() throws(Failure) -> JSON {
        let text = rest.take { Self.isNamePart($0) || ".+-".unicodeScalars.contains($0) }
        let isNegative = text.hasPrefix("-")
        let digits = text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
        if digits.lowercased().hasPrefix("0x") {
            let hex = digits.dropFirst(2)
            if hex.first?.isHexDigit == true, let value = Int64(hex, radix: 16) {
                return .int(isNegative ? -value : value)
            }
        } else if digits.hasPrefix("-") || digits.hasPrefix("+")
            || digits.first == "0" && digits.dropFirst().first?.isNumber == true
        {
            // No second sign, and no octal number with a leading zero (ECMAScript 5.1, 7.8.3).
        } else if digits.unicodeScalars.allSatisfy(Self.isDigit),
            let value = Int64(isNegative ? "-\(digits)" : String(digits))
        {
            return .int(value)
        } else if let value = Double(
            (digits.hasPrefix(".") ? "0" : "") + digits + (digits.hasSuffix(".") ? "0" : "")),
            value.isFinite
        {
            return .double(isNegative ? -value : value)
        }
        throw failure("Invalid number \(text)", "Write digits, or put text in quotes.")
    }

    // MARK: Strings

    /// A string in single or double quotes (JSON5, 5).
    private mutating func string() throws(Failure) -> String {
        let openingLine = line
        let quote = rest.removeFirst()
        var text = String.UnicodeScalarView()
        while true {
            switch rest.popFirst() {
            case quote?:
                guard isUTF8 || !text.contains("\u{FFFD}") else {
                    throw failure("Invalid UTF-8 in a string", "Save the file as UTF-8.")
                }
                return String(text)
            case "\\"?: if let scalar = try escape() { text.append(scalar) }
            case "\n"?, "\r"?:
                throw failure(
                    "Unterminated string", "Close it on the same line, or end the line with \\.",
                    at: openingLine)
            case let scalar?: text.append(scalar)
            case nil:
                throw failure("Unterminated string", "Add the closing quote.", at: openingLine)
            }
        }
    }

    /// The escapes of control characters.
    private static let controlEscapes: [Unicode.Scalar: Unicode.Scalar] = [
        "b": "\u{08}", "f": "\u{0C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{0B}", "0": "\0",
    ]

    /// The character of the escape after a backslash; nil for a line break.
    private mutating func escape() throws(Failure) -> Unicode.Scalar? {
        guard let scalar = rest.popFirst() else { return nil }
        if let control = Self.controlEscapes[scalar] { return control }
        switch scalar {
        case "x": return Unicode.Scalar(try hex(2))
        case "u": return try unicodeEscape()
        case "\n", "\r":
            if scalar == "\n" || rest.take("\n") { line += 1 }
            return nil
        case "1"..."9":
            throw failure(
                "Invalid escape: backslash before a digit", "Write \\u and four hexadecimal digits."
            )
        default: return scalar
        }
    }

    /// `\uD83D\uDE00` is one character, written as a surrogate pair.
    private mutating func unicodeEscape() throws(Failure) -> Unicode.Scalar {
        var value = try hex(4)
        if (0xD800...0xDBFF).contains(value), rest.take("\\"), rest.take("u") {
            let low = try hex(4)
            if (0xDC00...0xDFFF).contains(low) {
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            }
        }
        guard let scalar = Unicode.Scalar(value) else {
            throw failure(
                "Unpaired surrogate in a \\u escape",
                "Write both surrogates, or the character itself.")
        }
        return scalar
    }

    private mutating func hex(_ count: Int) throws(Failure) -> UInt32 {
        let digits = rest.take(atMost: count, while: \.properties.isASCIIHexDigit)
        guard digits.utf8.count == count, let value = UInt32(digits, radix: 16) else {
            throw failure(
                "An escape needs \(count) hexadecimal digits",
                "Write them, or the character itself.")
        }
        return value
    }

    // MARK: Tokens

    /// Skips white space and comments (JSON5, 7 and 8).
    private mutating func skipTrivia() throws(Failure) {
        while let scalar = rest.first {
            switch scalar {
            case "/": try skipComment()
            case "\n", " ", "\t", "\u{0B}", "\u{0C}", "\r",
                _ where Self.isUnicodeSpace(scalar):
                if scalar == "\n" { line += 1 }
                rest.removeFirst()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(Failure) {
        if rest.starts(with: "//".unicodeScalars) {
            _ = rest.take { $0 != "\n" }
        } else if rest.starts(with: "/*".unicodeScalars) {
            let openingLine = line
            rest.removeFirst(2)
            while !rest.starts(with: "*/".unicodeScalars) {
                guard let scalar = rest.popFirst() else {
                    throw failure("Unterminated comment", "Close it with */.", at: openingLine)
                }
                if scalar == "\n" { line += 1 }
            }
            rest.removeFirst(2)
        } else {
            throw failure("Unexpected slash", "Start a comment with // or /*.")
        }
    }

    /// A name without quotes: letters, digits, `_` and `$`, no digit first.
    private mutating func identifier() throws(Failure) -> String {
        guard let first = rest.first, Self.isNamePart(first), !Self.isDigit(first) else {
            let unexpected = rest.first.map { "'\($0)'" } ?? "end of file"
            throw failure(
                "Unexpected \(unexpected), expected a name or a value",
                "Look for a missing quote, comma or brace before it.")
        }
        return rest.take(while: Self.isNamePart)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// JSON5 allows what ECMAScript 5.1 calls an identifier; here, every non-ASCII character.
    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: scalar.value >= 0x80 && !isUnicodeSpace(scalar)
        }
    }

    /// No-break space, byte order mark, line separators.
    private static func isUnicodeSpace(_ scalar: Unicode.Scalar) -> Bool {
        "\u{A0}\u{FEFF}\u{2028}\u{2029}".unicodeScalars.contains(scalar)
    }

    private func failure(_ detail: String, _ fix: String, at line: Int? = nil) -> Failure {
        Failure(line: line ?? self.line, detail: detail, fix: fix)
    }
}
