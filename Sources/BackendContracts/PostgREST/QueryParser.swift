import Web

/// Reads the parts of PostgREST's query language from a text.
struct QueryParser {
    private let text: String
    private let element: String
    private(set) var rest: Substring

    /// `element` names the text in errors.
    init(_ text: String, _ element: String) {
        self.text = text
        self.element = element
        rest = text[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    func failure(expecting expected: String) -> RestFailure {
        let found = rest.first.map { "\"\($0)\"" } ?? "end of input"
        return .parseError(
            text, element, at: text.count - rest.count + 1,
            details: "unexpected \(found) expecting \(expected)")
    }

    mutating func take(_ prefix: String) -> Bool {
        guard rest.hasPrefix(prefix) else { return false }
        rest = rest.dropFirst(prefix.count)
        return true
    }

    mutating func expect(_ text: String) throws(RestFailure) {
        guard take(text) else { throw failure(expecting: "\"\(text)\"") }
    }

    mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

    /// A name of letters, digits, `_`, `$`, spaces and hyphens, or any in double quotes.
    mutating func name() throws(RestFailure) -> String {
        if let quoted = try quotedText() { return quoted }
        var name = ""
        while let character = rest.first {
            guard
                character.isLetter || character.isNumber || "_$ ".contains(character)
                    || character == "-" && !rest.hasPrefix("->")
            else { break }
            name.append(character)
            rest.removeFirst()
        }
        while name.last == " " { name.removeLast() }
        guard !name.isEmpty else { throw failure(expecting: "field name (* or [a..z0..9_$])") }
        return name
    }

    /// A text in double quotes, in which a backslash escapes; nil if there is none.
    mutating func quotedText() throws(RestFailure) -> String? {
        guard take("\"") else { return nil }
        var quoted = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return quoted
            case "\\":
                guard let escaped = rest.popFirst() else { break }
                quoted.append(escaped)
            default: quoted.append(character)
            }
        }
        throw failure(expecting: "\"\\\"\"")
    }

    /// The steps into a JSON value, `->a->0->>b`.
    mutating func jsonSteps() throws(RestFailure) -> [JSONStep] {
        var steps: [JSONStep] = []
        while rest.hasPrefix("->") {
            let isText = take("->>")
            if !isText { _ = take("->") }
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
            if let index = Int(digits),
                rest.dropFirst(digits.count).first.map({ !$0.isLetter && $0 != "_" }) ?? true
            {
                rest = rest.dropFirst(digits.count)
                steps.append(JSONStep(key: .index(index), isText: isText))
            } else {
                steps.append(JSONStep(key: .name(try name()), isText: isText))
            }
        }
        return steps
    }

    /// The text up to one of `ends`, outside of quotes.
    mutating func text(until ends: String) -> String {
        let found = rest.prefix { !ends.contains($0) }
        rest = rest.dropFirst(found.count)
        return String(found)
    }

    /// The text from an opening bracket to its closing one, with both.
    mutating func bracketed(_ open: Character, _ close: Character) throws(RestFailure) -> String {
        var (depth, isQuoted, isEscaped) = (0, false, false)
        for index in rest.indices {
            let character = rest[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == open {
                depth += 1
            } else if !isQuoted, character == close {
                depth -= 1
                if depth == 0 {
                    let found = rest[...index]
                    rest = rest[rest.index(after: index)...]
                    return String(found)
                }
            }
        }
        rest = rest[rest.endIndex...]
        throw failure(expecting: "\"\(close)\"")
    }

    mutating func takeRest() -> String {
        defer { rest = rest[rest.endIndex...] }
        return String(rest)
    }

    /// `a,"b,c"`: quoted items may contain commas and brackets.
    static func list(_ text: some StringProtocol) -> [String] {
        guard !text.isEmpty else { return [] }
        var items = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                items[items.count - 1].append(character)
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == ",", !isQuoted {
                items.append("")
            } else {
                items[items.count - 1].append(character)
            }
        }
        return items
    }
}

/// One step into a JSON value.
struct JSONStep: Sendable, Equatable {
    let key: Key
    /// Whether the result is text (`->>`) instead of JSON.
    let isText: Bool

    /// A member's name, or an element's index, from the end if negative.
    enum Key: Sendable, Equatable {
        case name(String)
        case index(Int)
    }
}

/// An item of `select` as it is written.
indirect enum SelectItem: Sendable, Equatable {
    case all
    case column(alias: String?, name: String, steps: [JSONStep], cast: String?)
    case embed(Embed)

    /// `alias:name!hint!inner(items)`
    struct Embed: Sendable, Equatable {
        var alias: String?
        var name: String
        var hint: String?
        var isInner: Bool
        var isSpread: Bool
        var items: [SelectItem]

        var responseName: String { alias ?? name }
    }

    /// Parses `*,a,alias:b::text,data->>c,posts(title)`.
    static func parse(_ text: String) throws(RestFailure) -> [SelectItem] {
        guard !text.isEmpty else { return [] }
        var parser = QueryParser(text, "select parameter")
        let items = try parse(&parser, depth: 0)
        guard parser.isAtEnd else { throw parser.failure(expecting: "\",\" or end of input") }
        return items
    }

    private static let maxDepth = 8

    private static func parse(_ parser: inout QueryParser, depth: Int) throws(RestFailure)
        -> [SelectItem]
    {
        guard depth < maxDepth else { throw parser.failure(expecting: "fewer levels") }
        var items: [SelectItem] = []
        parser.skipSpaces()
        if parser.rest.hasPrefix(")") { return [] }
        repeat {
            parser.skipSpaces()
            items.append(try parseItem(&parser, depth: depth))
            parser.skipSpaces()
        } while parser.take(",")
        return items
    }

    private static func parseItem(_ parser: inout QueryParser, depth: Int) throws(RestFailure)
        -> SelectItem
    {
        if parser.take("*") { return .all }
        let isSpread = parser.take("...")
        var name = try parser.name()
        var alias: String?
        if !isSpread, parser.rest.hasPrefix(":"), !parser.rest.hasPrefix("::") {
            _ = parser.take(":")
            alias = name
            name = try parser.name()
        }
        var hint: String?
        var isInner = false
        while parser.take("!") {
            switch try parser.name() {
            case "inner": isInner = true
            case "left": break
            case let text: hint = text
            }
        }
        let aggregates = ["count", "sum", "avg", "max", "min"]
        if parser.rest.hasPrefix("()"), aggregates.contains(name) { throw .noAggregates }
        if parser.take("(") {
            let items = try parse(&parser, depth: depth + 1)
            try parser.expect(")")
            return .embed(
                Embed(
                    alias: alias, name: name, hint: hint, isInner: isInner, isSpread: isSpread,
                    items: items))
        }
        guard !isSpread, hint == nil, !isInner else { throw parser.failure(expecting: "\"(\"") }
        let steps = try parser.jsonSteps()
        if parser.take(".") {
            let function = try parser.name()
            if parser.rest.hasPrefix("()"), aggregates.contains(function) { throw .noAggregates }
            throw parser.failure(expecting: "\"::\", \"->\", \",\" or end of input")
        }
        var cast: String?
        if parser.take("::") { cast = parser.text(until: ",)") }
        return .column(alias: alias, name: name, steps: steps, cast: cast)
    }
}
