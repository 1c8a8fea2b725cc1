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
    private var at = 0
    private var line = 1
    private(set) var texts: [TemplateText] = []

    private static let heard = ["aria-label", "alt", "placeholder", "title"]
    private static let skipped = ["svg", "script", "style"]

    /// What is being gathered, and where it began.
    private var pending = ""
    private var began: Int?

    init(_ source: String) { text = Array(source) }

    static func texts(of source: String) -> [TemplateText] {
        var reader = TemplateTextReader(source)
        reader.read()
        return reader.texts
    }

    private mutating func read() {
        while at < text.count {
            if starts("{{") {
                mustache()
            } else if starts("<!--") {
                end()
                skip(past: "-->")
            } else if text[at] == "<" {
                end()
                element()
            } else {
                if began == nil, !text[at].isWhitespace { began = line }
                pending.append(text[at])
                step()
            }
        }
        end()
    }

    /// A variable is put into the text, anything else ends it.
    private mutating func mustache(in attribute: String? = nil) {
        let inside = tag()
        guard let name = Self.variable(inside) else { return end(attribute: attribute) }
        if began == nil { began = line }
        pending += "{\(name)}"
    }

    /// The inside of the Mustache tag that begins here.
    private mutating func tag() -> String {
        let isTriple = starts("{{{")
        skip(count: isTriple ? 3 : 2)
        let start = at
        skip(past: isTriple ? "}}}" : "}}")
        let closed = isTriple ? 3 : 2
        return String(text[start..<max(start, at - closed)]).trimmed
    }

    private static func variable(_ inside: String) -> String? {
        guard let first = inside.first, !"#^/>!=".contains(first) else { return nil }
        return inside.drop { $0 == "&" || $0 == " " }.description
    }

    private mutating func element() {
        step()
        let start = at
        while at < text.count, text[at].isLetter || text[at] == "/" || text[at].isNumber { step() }
        let name = String(text[start..<at]).lowercased()
        attributes()
        if Self.skipped.contains(name) { skip(past: "</\(name)>") }
    }

    /// To the tag's end; values that are seen or heard are noted.
    private mutating func attributes() {
        while at < text.count, text[at] != ">" {
            if starts("{{") {
                _ = tag()
            } else if text[at].isLetter {
                let start = at
                while at < text.count, text[at].isLetter || text[at] == "-" || text[at].isNumber {
                    step()
                }
                let name = String(text[start..<at]).lowercased()
                if starts("=\"") { value(of: name) }
            } else {
                step()
            }
        }
        if at < text.count { step() }
    }

    private mutating func value(of name: String) {
        let isHeard = Self.heard.contains(name)
        skip(count: 2)
        while at < text.count, text[at] != "\"" {
            if starts("{{") {
                // A choice of words inside a value is one text for each.
                if isHeard { mustache(in: name) } else { _ = tag() }
                continue
            }
            if isHeard {
                if began == nil { began = line }
                pending.append(text[at])
            }
            step()
        }
        if at < text.count { step() }
        if isHeard { end(attribute: name) }
    }

    // MARK: Noting

    /// Takes what was gathered; text without a word of its own is none.
    private mutating func end(attribute: String? = nil) {
        defer { clear() }
        let said = HTMLText.plain(pending.trimmed)
        var bare = said
        while let open = bare.firstIndex(of: "{"), let close = bare[open...].firstIndex(of: "}") {
            bare.removeSubrange(open...close)
        }
        guard let began, bare.contains(where: \.isLetter) else { return }
        texts.append(TemplateText(text: said, line: began, attribute: attribute))
    }

    private mutating func clear() {
        pending = ""
        began = nil
    }

    // MARK: Going on

    private func starts(_ word: String) -> Bool { text[at...].starts(with: word) }

    private mutating func step() {
        if text[at].isNewline { line += 1 }
        at += 1
    }

    private mutating func skip(count: Int) { for _ in 0..<count where at < text.count { step() } }

    private mutating func skip(past word: String) {
        while at < text.count, !starts(word) { step() }
        skip(count: word.count)
    }
}

/// Text as HTML writes it.
enum HTMLText {
    /// With the few references a template has.
    static func plain(_ text: String) -> String {
        let known = [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"),
            ("&quot;", "\""), ("&#39;", "'"), ("&hellip;", "…"),
            ("&amp;", "&"),
        ]
        return known.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
