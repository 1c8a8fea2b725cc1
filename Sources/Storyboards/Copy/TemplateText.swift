import Web

/// A text in a screen's template, with its line.
struct TemplateText: Sendable, Equatable {
    /// `{name}` represents a variable of the template.
    var text: String
    /// From 1.
    var line: Int
    /// The attribute whose value it is; nil for text between tags.
    var attribute: String?
}

/// Extracts the texts of a Mustache template: text between tags, and attributes that are displayed
/// or read aloud.
///
/// Skips drawings, scripts and styles. Sections, partials and comments end a text; a variable is
/// part of it.
struct TemplateTextReader {
    private let text: [Character]
    private var position = 0
    private var line = 1
    private(set) var texts: [TemplateText] = []

    private static let readableAttributes = ["aria-label", "alt", "placeholder", "title"]
    private static let skippedElements = ["svg", "script", "style"]

    /// The text being collected, and the line where it starts.
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

    /// Appends a variable to the text; any other tag ends the text.
    private mutating func readMustacheTag(in attribute: String? = nil) {
        let inside = readTag()
        guard let name = Self.variableName(in: inside) else {
            return finishText(attribute: attribute)
        }
        if pendingLine == nil { pendingLine = line }
        pendingText += "{\(name)}"
    }

    /// Reads the content of the Mustache tag at `position`.
    private mutating func readTag() -> String {
        let isTriple = isAt("{{{")
        skip(count: isTriple ? 3 : 2)
        let start = position
        skip(past: isTriple ? "}}}" : "}}")
        let closingLength = isTriple ? 3 : 2
        return String(text[start..<max(start, position - closingLength)]).whitespaceCollapsed
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

    /// Reads to the end of the tag and collects the values of readable attributes.
    private mutating func readAttributes() {
        while position < text.count, text[position] != ">" {
            if isAt("{{") {
                _ = readTag()
            } else if text[position].isLetter {
                let start = position
                while position < text.count,
                    text[position].isLetter || text[position] == "-" || text[position].isNumber
                { advance() }
                let name = String(text[start..<position]).lowercased()
                if isAt("=\"") { readAttributeValue(of: name) }
            } else {
                advance()
            }
        }
        if position < text.count { advance() }
    }

    private mutating func readAttributeValue(of name: String) {
        let isReadable = Self.readableAttributes.contains(name)
        skip(count: 2)
        while position < text.count, text[position] != "\"" {
            if isAt("{{") {
                // The branches of a section inside a value are separate texts.
                if isReadable { readMustacheTag(in: name) } else { _ = readTag() }
                continue
            }
            if isReadable {
                if pendingLine == nil { pendingLine = line }
                pendingText.append(text[position])
            }
            advance()
        }
        if position < text.count { advance() }
        if isReadable { finishText(attribute: name) }
    }

    // MARK: Collecting

    /// Records the collected text, unless it has no letters besides its variables.
    private mutating func finishText(attribute: String? = nil) {
        defer { (pendingText, pendingLine) = ("", nil) }
        let decoded = Self.decodeEntities(pendingText.whitespaceCollapsed)
        let plain = decoded.replacingPlaceholders(with: "")
        guard let startLine = pendingLine, plain.contains(where: \.isLetter) else { return }
        texts.append(TemplateText(text: decoded, line: startLine, attribute: attribute))
    }

    /// Decodes the few character references that templates use.
    private static func decodeEntities(_ text: String) -> String {
        let entities = [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
            ("&hellip;", "…"), ("&amp;", "&"),
        ]
        return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    // MARK: Advancing

    private func isAt(_ token: String) -> Bool { text[position...].starts(with: token) }

    private mutating func advance() {
        if text[position].isNewline { line += 1 }
        position += 1
    }

    private mutating func skip(count: Int) {
        for _ in 0..<count where position < text.count { advance() }
    }

    private mutating func skip(past token: String) {
        while position < text.count, !isAt(token) { advance() }
        skip(count: token.count)
    }
}
