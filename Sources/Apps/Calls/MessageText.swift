/// Tells a sentence for a user from what a failing server prints instead.
extension String {
    /// Whether it is a page of HTML or a stack trace, which no user is to read.
    var isServerOutput: Bool { hasMarkup || hasStackTrace }

    /// Whether it contains a tag, a closing tag or a declaration: `<pre>`, `</body>`, `<!doctype`.
    private var hasMarkup: Bool {
        var remaining = self[...]
        while let open = remaining.firstIndex(of: "<") {
            remaining = remaining[remaining.index(after: open)...]
            if remaining.hasPrefix("!") { return true }
            let tag = remaining.drop { $0 == "/" }
            let name = tag.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            guard name.first?.isLetter == true, let end = tag[name.endIndex...].first else {
                continue
            }
            if end == ">" || end == "/" || end.isWhitespace && tag.contains(">") { return true }
        }
        return false
    }

    /// Whether a line is a frame of a stack: `at f (/srv/app.js:12:5)`, `File "app.py", line 3`,
    /// `#0 /srv/app.php(12)`, `goroutine 1 [running]:`.
    private var hasStackTrace: Bool {
        split(whereSeparator: \.isNewline).contains { line in
            let line = line.drop(while: \.isWhitespace)
            if line.hasPrefix("Traceback (") || line.hasPrefix("goroutine ") { return true }
            if line.hasPrefix("File \""), line.contains(", line ") { return true }
            if line.hasPrefix("#"), line.dropFirst().first?.isNumber == true,
                line.contains("/") || line.contains("(")
            {
                return true
            }
            return line.hasSourcePosition
        }
    }
}

extension Substring {
    /// Whether it has a word `at` and after it a position in a file, `name.js:12`.
    fileprivate var hasSourcePosition: Bool {
        guard hasPrefix("at ") || contains(" at ") else { return false }
        let words = split { $0.isWhitespace || $0 == "(" || $0 == ")" }
        return words.contains { word in
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            return parts.count > 1 && parts[0].contains(".")
                && parts.dropFirst().allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
        }
    }
}
