import Apps

/// Builds the view of one manifest error.
struct ManifestIssueBuilder {
    let error: ManifestError

    /// `source` is the manifest's text, if it could be read.
    func model(_ source: [UInt8]?) -> ManifestErrorModel.Issue {
        let lines = lines(source)
        return ManifestErrorModel.Issue(
            codingPath: error.path.isEmpty ? nil : error.path, detail: detail,
            anySource: !lines.isEmpty, file: error.file,
            position: error.line.map { "line \($0)" } ?? "", sourceLines: lines,
            fix: error.fix.isEmpty ? nil : error.fix)
    }

    /// The error's line with two lines of context on either side.
    private func lines(_ source: [UInt8]?) -> [ManifestErrorModel.Line] {
        guard let line = error.line, let source else { return [] }
        let lines = String(decoding: source, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let lineNumbers = max(1, line - 2)...max(1, line + 2)
        return lineNumbers.compactMap { number in
            guard lines.indices.contains(number - 1) else { return nil }
            let text = String(lines[number - 1])
            guard number == line else {
                return .init(
                    number: String(number), isMarked: false, before: text, highlighted: nil,
                    after: "")
            }
            return markedLine(text, number: number)
        }
    }

    /// Highlights a name that the error mentions, if the line contains it exactly once.
    private func markedLine(_ text: String, number: Int) -> ManifestErrorModel.Line {
        for name in quotedNames {
            let parts = text.split(separator: name, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            return .init(
                number: String(number), isMarked: true, before: String(parts[0]), highlighted: name,
                after: String(parts[1]))
        }
        return .init(
            number: String(number), isMarked: true, before: text, highlighted: nil, after: "")
    }

    /// The names quoted in the error's message, then the member's name.
    private var quotedNames: [String] {
        var names: [String] = []
        for quote in ["'", "\"", "`"] {
            let parts = error.detail.split(separator: quote, omittingEmptySubsequences: false)
            names += parts.enumerated().filter { $0.offset % 2 == 1 && !$0.element.isEmpty }.map {
                String($0.element)
            }
        }
        return names + [memberName].compactMap(\.self)
    }

    /// The last component of the error's path; nil for a list index.
    private var memberName: String? {
        error.path.split(separator: ".").last.flatMap { Int($0) == nil ? String($0) : nil }
    }

    /// The error's message, without a leading member name, which the path already shows.
    private var detail: String {
        var text = error.detail
        if let member = memberName, text.hasPrefix(member + " ") {
            text = String(text.dropFirst(member.count + 1))
        }
        return text.hasSuffix(".") ? text : text + "."
    }
}
