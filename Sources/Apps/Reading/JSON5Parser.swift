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
    static let maxDepth = 64
    /// Limit for the members of one object and the elements of one list: the loader compares them
    /// pairwise.
    static let maxMembers = 1_000

    let bytes: [UInt8]
    var position = 0
    var line = 1
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Parses the document's one value.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> JSON5Document {
        var parser = JSON5Parser(bytes)
        try parser.skipTrivia()
        let document = try parser.value()
        try parser.skipTrivia()
        guard parser.peek == nil else {
            throw parser.failure(
                "Text after the manifest's closing brace",
                "Close the manifest once, with nothing after it.")
        }
        return document
    }

    // MARK: Values

    mutating func value() throws(Failure) -> JSON5Document {
        let line = self.line
        guard let byte = peek else {
            throw failure("Unexpected end of file", "Close every brace, bracket and quote.")
        }
        switch byte {
        case UInt8(ascii: "{"): return JSON5Document(value: .object(try object()), line: line)
        case UInt8(ascii: "["): return JSON5Document(value: .array(try array()), line: line)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return JSON5Document(value: .string(try string()), line: line)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            return JSON5Document(value: try number(), line: line)
        default:
            let word = try identifier()
            switch word {
            case "true": return JSON5Document(value: .bool(true), line: line)
            case "false": return JSON5Document(value: .bool(false), line: line)
            case "null": return JSON5Document(value: .null, line: line)
            default: throw failure("Invalid value \(word)", "Put text in quotes: '\(word)'.")
            }
        }
    }

    private mutating func object() throws(Failure) -> [JSON5Document.Member] {
        try enterContainer()
        var members: [JSON5Document.Member] = []
        var names: Set<String> = []
        while true {
            try skipTrivia()
            if take("}") { break }
            let line = self.line
            let name = try key()
            guard names.insert(name).inserted else {
                throw Failure(line: line, detail: "Duplicate key \(name)", fix: "Keep one of them.")
            }
            try skipTrivia()
            guard take(":") else { throw failure("Expected : after \(name)", "Write \(name): …") }
            try skipTrivia()
            members.append(JSON5Document.Member(name: name, line: line, value: try value()))
            try checkCount(members.count)
            try skipTrivia()
            if take(",") { continue }
            if take("}") { break }
            throw failure(
                "Expected , or } after the value of \(name)", "Put a comma between members.")
        }
        depth -= 1
        return members
    }

    private mutating func array() throws(Failure) -> [JSON5Document] {
        try enterContainer()
        var elements: [JSON5Document] = []
        while true {
            try skipTrivia()
            if take("]") { break }
            elements.append(try value())
            try checkCount(elements.count)
            try skipTrivia()
            if take(",") { continue }
            if take("]") { break }
            throw failure("Expected , or ] after an array element", "Put a comma between elements.")
        }
        depth -= 1
        return elements
    }

    private mutating func key() throws(Failure) -> String {
        switch peek {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try string()
        default: try identifier()
        }
    }

    private func checkCount(_ count: Int) throws(Failure) {
        guard count <= Self.maxMembers else {
            throw failure(
                "More than \(Self.maxMembers) values in one object or array", "Remove some.")
        }
    }

    private mutating func enterContainer() throws(Failure) {
        position += 1
        depth += 1
        guard depth <= Self.maxDepth else {
            throw failure("Values nested more than \(Self.maxDepth) deep", "Flatten the manifest.")
        }
    }

    // MARK: Cursor

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    func peek(_ offset: Int) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    func failure(_ detail: String, _ fix: String) -> Failure {
        Failure(line: line, detail: detail, fix: fix)
    }
}
