/// An element of a parsed template.
enum TemplateNode: Sendable {
    case text([UInt8])
    /// `{{a.b}}`, or unescaped `{{{a.b}}}` and `{{&a.b}}`. The path of `{{.}}` is empty.
    case value([String], isEscaped: Bool)
    /// `{{#a.b}}…{{/a.b}}`, or inverted `{{^a.b}}…{{/a.b}}`.
    case section([String], isInverted: Bool, [TemplateNode])
    /// `{{>name}}`, and its offset in the source.
    case partial(String, offset: Int)
}

/// Parses a template as the Mustache specification 1.4 defines it, without its optional modules.
///
/// One difference: a partial's tag alone in a line neither indents the partial nor removes the
/// line. HTML ignores both, and the text of a `pre` element must not be indented.
struct TemplateParser {
    private static let standardDelimiters = (open: Array("{{".utf8), close: Array("}}".utf8))
    /// Rendering recurses once per section, so depth costs stack.
    private static let maxDepth = 64

    private let source: [UInt8]
    private let path: String
    private var position = 0
    private var delimiters = standardDelimiters
    /// The nodes of the innermost open section.
    private var nodes: [TemplateNode] = []
    /// The open sections, outermost first.
    private var sections: [OpenSection] = []

    private struct OpenSection {
        var name: String
        var isInverted: Bool
        var offset: Int
        /// The nodes before it.
        var preceding: [TemplateNode]
    }

    /// The nodes of `source`, the content of the file at `path`.
    static func parse(_ source: [UInt8], path: String) throws(TemplateError) -> [TemplateNode] {
        guard String(validating: source, as: UTF8.self) != nil else {
            throw TemplateError(path, "the file is not UTF-8 text")
        }
        var parser = TemplateParser(source: source, path: path)
        while let start = parser.find(parser.delimiters.open, from: parser.position) {
            try parser.parseTag(at: start)
        }
        parser.addText(upTo: source.count)
        if let section = parser.sections.first { throw parser.unclosed(section) }
        return parser.nodes
    }

    // MARK: Tags

    private mutating func parseTag(at start: Int) throws(TemplateError) {
        var inner = start + delimiters.open.count
        var close = delimiters.close
        let isTriple =
            delimiters == Self.standardDelimiters && inner < source.count
            && source[inner] == UInt8(ascii: "{")
        if isTriple {
            inner += 1
            close.append(UInt8(ascii: "}"))
        }
        guard let end = find(close, from: inner) else { throw error("unclosed tag", start) }
        let tag = start..<end + close.count
        let contents = Self.trimmed(Substring(decoding: source[inner..<end], as: UTF8.self))
        let mark = isTriple ? "{" : contents.first
        let isRemovedWithLine = mark.map { "#^/!=".contains($0) } ?? false
        let range = isRemovedWithLine ? wholeLine(of: tag) ?? tag : tag
        addText(upTo: range.lowerBound)
        position = range.upperBound
        let name = String(Self.trimmed(contents.dropFirst()))
        switch mark {
        case "#", "^": try openSection(name, isInverted: mark == "^", start)
        case "/": try closeSection(name, start)
        case ">": nodes.append(.partial(name, offset: start))
        case "!": break
        case "=": try setDelimiters(contents, start)
        case "&": nodes.append(.value(Self.components(of: name), isEscaped: false))
        default: nodes.append(.value(Self.components(of: String(contents)), isEscaped: !isTriple))
        }
    }

    private mutating func openSection(_ name: String, isInverted: Bool, _ offset: Int)
        throws(TemplateError)
    {
        guard sections.count < Self.maxDepth else {
            throw error("sections are nested more than \(Self.maxDepth) deep", offset)
        }
        sections.append(
            OpenSection(name: name, isInverted: isInverted, offset: offset, preceding: nodes))
        nodes = []
    }

    private mutating func closeSection(_ name: String, _ offset: Int) throws(TemplateError) {
        guard let section = sections.popLast() else {
            throw error("unopened section \"\(name)\"", offset)
        }
        guard section.name == name else { throw unclosed(section) }
        let path = Self.components(of: name)
        nodes = section.preceding + [.section(path, isInverted: section.isInverted, nodes)]
    }

    private mutating func setDelimiters(_ contents: Substring, _ offset: Int) throws(TemplateError)
    {
        let marks = contents.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
        guard contents.last == "=", marks.count == 2, !marks.joined().contains("=") else {
            throw error("invalid set delimiter tag", offset)
        }
        delimiters = (Array(marks[0].utf8), Array(marks[1].utf8))
    }

    // MARK: Text

    /// Adds the text between the last tag and the next.
    private mutating func addText(upTo end: Int) {
        if position < end { nodes.append(.text(Array(source[position..<end]))) }
    }

    /// The line of a tag with its line end; nil if it contains anything else.
    private func wholeLine(of tag: Range<Int>) -> Range<Int>? {
        func isBlank(_ index: Int) -> Bool { source[index] == 0x20 || source[index] == 0x09 }
        var start = tag.lowerBound
        while start > 0, isBlank(start - 1) { start -= 1 }
        guard start == 0 || source[start - 1] == 0x0A else { return nil }
        var end = tag.upperBound
        while end < source.count, isBlank(end) { end += 1 }
        if source[end...].starts(with: [0x0D, 0x0A]) { end += 1 }
        guard end < source.count else { return start..<end }
        return source[end] == 0x0A ? start..<end + 1 : nil
    }

    private func find(_ mark: [UInt8], from start: Int) -> Int? {
        guard source.count >= mark.count else { return nil }
        var index = start
        while index <= source.count - mark.count {
            if source[index] == mark[0], source[index...].starts(with: mark) { return index }
            index += 1
        }
        return nil
    }

    private static func components(of name: String) -> [String] {
        guard name != "." else { return [] }
        return name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    // MARK: Errors

    private func error(_ detail: String, _ offset: Int) -> TemplateError {
        TemplateError(path, detail, at: offset, in: source)
    }

    private func unclosed(_ section: OpenSection) -> TemplateError {
        error("unclosed section \"\(section.name)\"", section.offset)
    }
}
