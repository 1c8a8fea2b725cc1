import Web

/// Reads text and links from a mail's HTML and text, to recognize what it is for.
package enum HTMLText {
    /// The visible text, with a line for each block.
    package static func plainText(of html: String) -> String {
        var text = ""
        var hidden: Substring?
        var rest = html[...]
        while let open = rest.firstIndex(of: "<") {
            if hidden == nil { text += rest[..<open] }
            guard let close = rest[open...].firstIndex(of: ">") else {
                rest = ""
                break
            }
            let tag = rest[rest.index(after: open)..<close]
            let name = tag.prefix { !$0.isWhitespace && $0 != ">" }.lowercased()
            if let end = hidden {
                if name == "/" + end { hidden = nil }
            } else if ["style", "script", "head", "title"].contains(name) {
                hidden = Substring(name)
            } else if [
                "br", "br/", "p", "/p", "div", "/div", "td", "/td", "tr", "/tr", "h1", "/h1", "h2",
                "/h2", "li", "/li",
            ].contains(name) {
                text += "\n"
            }
            rest = rest[rest.index(after: close)...]
        }
        if hidden == nil { text += rest }
        return decodingEntities(text)
    }

    /// The values of all `href` attributes that are URLs of pages or apps.
    static func links(in html: String) -> [String] {
        var links: [String] = []
        var rest = html[...]
        while links.count < 300,
            let found = rest.firstRange(of: "href=") ?? rest.firstRange(of: "HREF=")
        {
            rest = rest[found.upperBound...]
            let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
            let content = quote == nil ? rest : rest.dropFirst()
            let value = content.prefix { character in
                quote.map { character != $0 } ?? (!character.isWhitespace && character != ">")
            }
            rest = content.dropFirst(value.count)
            let link = decodingEntities(String(value)).whitespaceCollapsed
            if link.contains("://"), !link.contains(" ") { links.append(link) }
        }
        return links
    }

    /// The `http` URLs of a text, without punctuation behind them.
    static func urls(in text: String) -> [String] {
        words(of: text).compactMap { url(in: $0) }
    }

    static func withoutURLs(_ line: String) -> String {
        words(of: line).map { $0.contains("://") ? "" : String($0) }.joined(separator: " ")
    }

    private static func words(of text: String) -> [Substring] {
        text.split { $0.isWhitespace || "<>\"|".contains($0) }
    }

    private static func url(in word: Substring) -> String? {
        guard let start = word.firstRange(of: "https://") ?? word.firstRange(of: "http://") else {
            return nil
        }
        var url = word[start.lowerBound...]
        while let last = url.last, ".,;:!?)]}'*".contains(last) { url.removeLast() }
        return String(url)
    }

    private static let entities = [
        "&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&#x27;": "'",
        "&#x3D;": "=", "&#61;": "=", "&apos;": "'", "&amp;": "&",
    ]

    private static func decodingEntities(_ text: String) -> String {
        guard text.contains("&") else { return text }
        // "&amp;lt;" is "&lt;", so the ampersand is last.
        return entities.sorted { $0.key == "&amp;" ? false : $1.key == "&amp;" || $0.key < $1.key }
            .reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
}
