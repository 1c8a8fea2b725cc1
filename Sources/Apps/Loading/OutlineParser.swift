/// Reads JSON5 (spec.json5.org, 1.0) into an outline.
///
/// `Tests` hold it to what Foundation's decoder makes of the same text; unlike
/// that it keeps order and lines and refuses a key that stands twice.
struct OutlineParser {
    /// What is wrong with the text, and on which line.
    struct Failure: Error, Equatable {
        var line: Int
        var detail: String
        var mend: String
    }

    /// Objects and lists within one another; deeper is refused, so that no
    /// manifest can exhaust the stack.
    static let deepest = 64
    /// Members of one object, elements of one list: what reads a manifest
    /// compares them with one another.
    static let longest = 1_000

    let bytes: [UInt8]
    var at = 0
    var line = 1
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The one value of the document.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> Outline {
        var parser = OutlineParser(bytes)
        try parser.skip()
        let outline = try parser.value()
        try parser.skip()
        guard parser.peek == nil else {
            throw parser.failure(
                "there is text after the manifest's closing brace",
                "Close the manifest once, with nothing after it.")
        }
        return outline
    }

    // MARK: Values

    mutating func value() throws(Failure) -> Outline {
        let line = self.line
        guard let byte = peek else {
            throw failure(
                "the text ends where a value should stand", "Close every brace, bracket and quote.")
        }
        switch byte {
        case UInt8(ascii: "{"): return Outline(value: .object(try object()), line: line)
        case UInt8(ascii: "["): return Outline(value: .array(try array()), line: line)
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return Outline(value: .string(try string()), line: line)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            return Outline(value: try number(), line: line)
        default:
            let word = try identifier()
            switch word {
            case "true": return Outline(value: .bool(true), line: line)
            case "false": return Outline(value: .bool(false), line: line)
            case "null": return Outline(value: .null, line: line)
            default: throw failure("\(word) is no value", "Put text in quotes: '\(word)'.")
            }
        }
    }

    private mutating func object() throws(Failure) -> [Outline.Member] {
        try enter()
        var members: [Outline.Member] = []
        var names: Set<String> = []
        while true {
            try skip()
            if take("}") { break }
            let line = self.line
            let name = try key()
            guard names.insert(name).inserted else {
                throw Failure(line: line, detail: "\(name) stands twice", mend: "Keep one of them.")
            }
            try skip()
            guard take(":") else {
                throw failure("after \(name) there is no colon", "Write \(name): …")
            }
            try skip()
            members.append(Outline.Member(name: name, line: line, value: try value()))
            try check(members.count)
            try skip()
            if take(",") { continue }
            if take("}") { break }
            throw failure(
                "after the value of \(name) there is neither comma nor brace",
                "Put a comma between members.")
        }
        depth -= 1
        return members
    }

    private mutating func array() throws(Failure) -> [Outline] {
        try enter()
        var elements: [Outline] = []
        while true {
            try skip()
            if take("]") { break }
            elements.append(try value())
            try check(elements.count)
            try skip()
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

    private func check(_ count: Int) throws(Failure) {
        guard count <= Self.longest else {
            throw failure("more than \(Self.longest) values stand in one", "Take some out.")
        }
    }

    private mutating func enter() throws(Failure) {
        at += 1
        depth += 1
        guard depth <= Self.deepest else {
            throw failure("values stand more than \(Self.deepest) deep", "Flatten the manifest.")
        }
    }

    // MARK: Moving

    var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    func peek(_ offset: Int) -> UInt8? { at + offset < bytes.count ? bytes[at + offset] : nil }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    func failure(_ detail: String, _ mend: String) -> Failure {
        Failure(line: line, detail: detail, mend: mend)
    }
}
