/// Reads JSON5 (spec.json5.org, 1.0) into an outline.
///
/// `Tests` hold it to what Foundation's decoder makes of the same text; unlike
/// that it keeps order and lines and refuses a key that stands twice.
struct JSON5Parser {
    /// What is wrong with the text, and on which line.
    struct Failure: Error, Equatable {
        var line: Int
        var detail: String
        var fix: String
    }

    /// Objects and lists within one another; deeper is refused, so that no
    /// manifest can exhaust the stack.
    static let maxDepth = 64
    /// Members of one object, elements of one list: what reads a manifest
    /// compares them with one another.
    static let maxMembers = 1_000

    let bytes: [UInt8]
    var position = 0
    var line = 1
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The one value of the document.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> JSON5Document {
        var parser = JSON5Parser(bytes)
        try parser.skipTrivia()
        let document = try parser.value()
        try parser.skipTrivia()
        guard parser.peek == nil else {
            throw parser.failure(
                "there is text after the manifest's closing brace",
                "Close the manifest once, with nothing after it.")
        }
        return document
    }

    // MARK: Values

    mutating func value() throws(Failure) -> JSON5Document {
        let line = self.line
        guard let byte = peek else {
            throw failure(
                "the text ends where a value should stand", "Close every brace, bracket and quote.")
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
            default: throw failure("\(word) is no value", "Put text in quotes: '\(word)'.")
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
                throw Failure(line: line, detail: "\(name) stands twice", fix: "Keep one of them.")
            }
            try skipTrivia()
            guard take(":") else {
                throw failure("after \(name) there is no colon", "Write \(name): …")
            }
            try skipTrivia()
            members.append(JSON5Document.Member(name: name, line: line, value: try value()))
            try checkCount(members.count)
            try skipTrivia()
            if take(",") { continue }
            if take("}") { break }
            throw failure(
                "after the value of \(name) there is neither comma nor brace",
                "Put a comma between members.")
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
            throw failure(
                "after a list's element there is neither comma nor bracket",
                "Put a comma between elements.")
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
            throw failure("more than \(Self.maxMembers) values stand in one", "Take some out.")
        }
    }

    private mutating func enterContainer() throws(Failure) {
        position += 1
        depth += 1
        guard depth <= Self.maxDepth else {
            throw failure("values stand more than \(Self.maxDepth) deep", "Flatten the manifest.")
        }
    }

    // MARK: Moving

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
