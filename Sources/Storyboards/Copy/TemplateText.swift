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
    private var rest: Substring
    private var line = 1
    private var texts: [TemplateText] = []
    /// The text being collected, and the line where it starts.
    private var pendingText = ""
    private var pendingLine: Int?

    private static let readableAttributes = ["aria-label", "alt", "placeholder", "title"]
    private static let skippedElements = ["svg", "script", "style"]

    static func texts(of source: String) -> [TemplateText] {
        var reader = TemplateTextReader(rest: source[...])
        reader.read()
        return reader.texts
    }

    private mutating func read() {
        while !rest.isEmpty {
            if rest.hasPrefix("{{") {
                readMustacheTag()
            } else if rest.hasPrefix("<!--") {
                finishText()
                take(through: "-->")
            } else if rest.hasPrefix("<") {
                finishText()
                readElement()
            } else {
                collectText(until: "<")
            }
        }
        finishText()
    }

    /// Appends a variable to the text; any other tag ends the text.
    private mutating func readMustacheTag(in attribute: String? = nil) {
        let startLine = line
        let content = takeMustacheTag()
        guard let first = content.first, !"#^/>!=".contains(first) else {
            return finishText(attribute: attribute)
        }
        pendingLine = pendingLine ?? startLine
        pendingText += "{\(content.drop { $0 == "&" || $0 == " " })}"
    }

    /// The content of the Mustache tag at the beginning.
    private mutating func takeMustacheTag() -> String {
        let isTriple = rest.hasPrefix("{{{")
        take(isTriple ? 3 : 2)
        return String(take(through: isTriple ? "}}}" : "}}")).whitespaceCollapsed
    }

    private mutating func readElement() {
        take(1)
        let name = take { $0.isLetter || $0 == "/" || $0.isNumber }.lowercased()
        readAttributes()
        if Self.skippedElements.contains(name) { take(through: "</\(name)>") }
    }

    /// Reads to the end of the tag and collects the values of readable attributes.
    private mutating func readAttributes() {
        while let next = rest.first, next != ">" {
            if rest.hasPrefix("{{") {
                _ = takeMustacheTag()
            } else if next.isLetter {
                let name = take { $0.isLetter || $0 == "-" || $0.isNumber }.lowercased()
                if rest.hasPrefix("=\"") { readAttributeValue(of: name) }
            } else {
                take(1)
            }
        }
        take(1)
    }

    private mutating func readAttributeValue(of name: String) {
        let isReadable = Self.readableAttributes.contains(name)
        take(2)
        while let next = rest.first, next != "\"" {
            // The branches of a section inside a value are separate texts.
            switch (rest.hasPrefix("{{"), isReadable) {
            case (true, true): readMustacheTag(in: name)
            case (true, false): _ = takeMustacheTag()
            case (false, true): collectText(until: "\"")
            case (false, false): take(1)
            }
        }
        take(1)
        if isReadable { finishText(attribute: name) }
    }

    // MARK: Collecting

    /// Collects at least one character, up to the delimiter or a brace.
    private mutating func collectText(until delimiter: Character) {
        if pendingLine == nil, rest.first?.isWhitespace == true {
            pendingText += take(while: \.isWhitespace)
        } else {
            pendingLine = pendingLine ?? line
            pendingText += take(1)
            pendingText += take { $0 != delimiter && $0 != "{" }
        }
    }

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

    @discardableResult private mutating func take(_ count: Int) -> Substring {
        let taken = rest.prefix(count)
        rest = rest[taken.endIndex...]
        line += taken.count(where: \.isNewline)
        return taken
    }

    private mutating func take(while isIncluded: (Character) -> Bool) -> Substring {
        take(rest.prefix(while: isIncluded).count)
    }

    /// Takes the token too, but does not return it.
    @discardableResult private mutating func take(through token: String) -> Substring {
        let range = rest.firstRange(of: token)
        let taken = rest[..<(range?.lowerBound ?? rest.endIndex)]
        take(taken.count + token.count)
        return taken
    }
}
