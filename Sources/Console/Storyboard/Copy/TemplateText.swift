/// A text that stands in a screen's template, and on which line.
struct TemplateText: Sendable, Equatable {
    /// `{name}` stands for what the template fills in.
    var text: String
    /// From 1.
    var line: Int
    /// The attribute it is the value of; nil for text between tags.
    var attribute: String?
}

/// Reads the texts of a Mustache template: what stands between tags, and the
/// attributes a person sees or hears. Drawings, scripts and styles hold none.
///
/// Sections, partials and comments end a text; a variable is part of it.
struct TemplateTextReader {
    private let text: [Character]
    private var position = 0
    private var line = 1
    private(set) var texts: [TemplateText] = []

    private static let readableAttributes = ["aria-label", "alt", "placeholder", "title"]
    private static let skippedElements = ["svg", "script", "style"]

    /// What is being gathered, and where it began.
    private var pendingText = ""
    private var pendingLine: Int?

    init(_ source: String) { text = Array(source) }

    static func texts(of source: String) -> [TemplateText] {
        var reader = TemplateTextReader(source)
        reader.read()
        return reader.texts
    }

    private mutating func read() {
        while position < text.count {
            if isAt("{{") {
                readMustacheTag()
            } else if isAt("<!--") {
                finishText()
                skip(past: "-->")
            } else if text[position] == "<" {
                finishText()
                readElement()
            } else {
                if pendingLine == nil, !text[position].isWhitespace { pendingLine = line }
                pendingText.append(text[position])
                advance()
            }
        }
        finishText()
    }

    /// A variable is put into the text, anything else ends it.
    private mutating func readMustacheTag(in attribute: String? = nil) {
        let inside = readTag()
        guard let name = Self.variableName(in: inside) else {
            return finishText(attribute: attribute)
        }
        if pendingLine == nil { pendingLine = line }
        pendingText += "{\(name)}"
    }

    /// The inside of the Mustache tag that begins here.
    private mutating func readTag() -> String {
        let isTriple = isAt("{{{")
        skip(count: isTriple ? 3 : 2)
        let start = position
        skip(past: isTriple ? "}}}" : "}}")
        let closed = isTriple ? 3 : 2
        return String(text[start..<max(start, position - closed)]).whitespaceCollapsed
    }

    private static func variableName(in inside: String) -> String? {
        guard let first = inside.first, !"#^/>!=".contains(first) else { return nil }
        return inside.drop { $0 == "&" || $0 == " " }.description
    }

    private mutating func readElement() {
        advance()
        let start = position
        while position < text.count,
            text[position].isLetter || text[position] == "/" || text[position].isNumber
        { advance() }
        let name = String(text[start..<position]).lowercased()
        readAttributes()
        if Self.skippedElements.contains(name) { skip(past: "</\(name)>") }
    }

    /// To the tag's end; values that are seen or heard are noted.
    private mutating func readAttributes() {
        while position < text.count, text[position] != ">" {
            if isAt("{{") {
                _ = readTag()
            } else if text[position].isLetter {
                let start = position
                while position < text.count,
                    text[position].isLetter || text[position] == "-" || text[position].isNumber
                {
                    advance()
                }
                let name = String(text[start..<position]).lowercased()
                if isAt("=\"") { readAttributeValue(of: name) }
            } else {
                advance()
            }
        }
        if position < text.count { advance() }
    }

    private mutating func readAttributeValue(of name: String) {
        let isHeard = Self.readableAttributes.contains(name)
        skip(count: 2)
        while position < text.count, text[position] != "\"" {
            if isAt("{{") {
                // A choice of words inside a value is one text for each.
                if isHeard { readMustacheTag(in: name) } else { _ = readTag() }
                continue
            }
            if isHeard {
                if pendingLine == nil { pendingLine = line }
                pendingText.append(text[position])
            }
            advance()
        }
        if position < text.count { advance() }
        if isHeard { finishText(attribute: name) }
    }

    // MARK: Noting

    /// Takes what was gathered; text without a word of its own is none.
    private mutating func finishText(attribute: String? = nil) {
        defer { clearPending() }
        let said = HTMLText.decodeEntities(pendingText.whitespaceCollapsed)
        var bare = said
        while let open = bare.firstIndex(of: "{"), let close = bare[open...].firstIndex(of: "}") {
            bare.removeSubrange(open...close)
        }
        guard let began = pendingLine, bare.contains(where: \.isLetter) else { return }
        texts.append(TemplateText(text: said, line: began, attribute: attribute))
    }

    private mutating func clearPending() {
        pendingText = ""
        pendingLine = nil
    }

    // MARK: Going on

    private func isAt(_ word: String) -> Bool { text[position...].starts(with: word) }

    private mutating func advance() {
        if text[position].isNewline { line += 1 }
        position += 1
    }

    private mutating func skip(count: Int) {
        for _ in 0..<count where position < text.count { advance() }
    }

    private mutating func skip(past word: String) {
        while position < text.count, !isAt(word) { advance() }
        skip(count: word.count)
    }
}

/// Text as HTML writes it.
enum HTMLText {
    /// With the few references a template has.
    static func decodeEntities(_ text: String) -> String {
        let known = [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"),
            ("&quot;", "\""), ("&#39;", "'"), ("&hellip;", "…"),
            ("&amp;", "&"),
        ]
        return known.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
