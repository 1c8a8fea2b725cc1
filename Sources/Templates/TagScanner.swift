/// Splits a template into tags and text, as the library does.
///
/// Only for sources the library has parsed: anything malformed is text.
struct TagScanner {
    /// The marks around a tag; a template can change them.
    struct Delimiters: Equatable {
        var open: [UInt8]
        var close: [UInt8]

        static let standard = Delimiters(open: Array("{{".utf8), close: Array("}}".utf8))
    }

    enum Piece {
        case text(Range<Int>)
        /// `{{> name}}`
        case partial(String, Range<Int>)
        /// `{{#a.b}}` or `{{^a.b}}`, with the name it looks up.
        case openSection(String, Range<Int>)
        /// `{{/a.b}}`
        case closeSection(Range<Int>)
        /// Any other tag, with the name it looks up: empty for a comment.
        case tag(String, Range<Int>)
    }

    private(set) var delimiters = Delimiters.standard
    private let source: [UInt8]
    private var position = 0

    init(_ source: [UInt8]) { self.source = source }

    /// The next piece; nil at the end.
    mutating func next() -> Piece? {
        guard position < source.count else { return nil }
        let start = position
        let opening = find(delimiters.open, from: start)
        guard opening == start else {
            position = opening ?? source.count
            return .text(start..<position)
        }
        var inner = start + delimiters.open.count
        var close = delimiters.close
        var isTriple = false
        // Three braces: an unescaped value, closed by three braces.
        if delimiters == .standard, inner < source.count, source[inner] == UInt8(ascii: "{") {
            isTriple = true
            inner += 1
            close.append(UInt8(ascii: "}"))
        }
        guard let end = find(close, from: inner) else {
            position = source.count
            return .text(start..<position)
        }
        position = end + close.count
        let contents = trimmed(source[inner..<end])
        // Three braces contain either a name or new delimiters.
        if isTriple, contents.first != UInt8(ascii: "=") {
            return .tag(Self.text(contents), start..<position)
        }
        return piece(contents, start..<position)
    }

    private mutating func piece(_ contents: ArraySlice<UInt8>, _ range: Range<Int>) -> Piece {
        switch contents.first.map(Unicode.Scalar.init) {
        case ">": return .partial(name(contents), range)
        case "=":
            let marks = trimmed(contents.dropFirst().dropLast()).split(separator: 0x20)
            if marks.count == 2 {
                delimiters = Delimiters(open: Array(marks[0]), close: Array(marks[1]))
            }
            return .tag("", range)
        case "!": return .tag("", range)
        case "#", "^": return .openSection(name(contents), range)
        case "/": return .closeSection(range)
        case "&": return .tag(name(contents), range)
        default: return .tag(Self.text(contents), range)
        }
    }

    /// The name after a tag's mark.
    private func name(_ contents: ArraySlice<UInt8>) -> String {
        Self.text(trimmed(contents.dropFirst()))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private func find(_ mark: [UInt8], from start: Int) -> Int? {
        guard source.count >= mark.count else { return nil }
        var index = start
        while index <= source.count - mark.count {
            if source[index] == mark[0], source[index..<index + mark.count].elementsEqual(mark) {
                return index
            }
            index += 1
        }
        return nil
    }

    /// Without leading and trailing white space.
    private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let front = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let last = front.lastIndex(where: { !($0 == 0x20 || (0x09...0x0D).contains($0)) })
        else { return front.prefix(0) }
        return front[...last]
    }
}
