import Apps

/// One mistake of a manifest, as its page shows it.
struct ManifestIssueBuilder {
    let error: ManifestError

    /// `source` is the manifest, where it could be read.
    func model(_ source: [UInt8]?) -> ManifestErrorModel.Issue {
        let lines = lines(source)
        return ManifestErrorModel.Issue(
            codingPath: error.path.isEmpty ? nil : error.path, detail: detail,
            anySource: !lines.isEmpty, file: error.file,
            position: error.line.map { "line \($0)" } ?? "", sourceLines: lines,
            fix: error.fix.isEmpty ? nil : error.fix)
    }

    /// The marked line and two on either side.
    private func lines(_ source: [UInt8]?) -> [ManifestErrorModel.Line] {
        guard let line = error.line, let source else { return [] }
        let lines = String(decoding: source, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        let shown = max(1, line - 2)...max(1, line + 2)
        return shown.compactMap { number in
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

    /// What the error names is marked if the line has it once.
    private func markedLine(_ text: String, number: Int) -> ManifestErrorModel.Line {
        for name in quotedNames {
            let around = text.split(separator: name, omittingEmptySubsequences: false)
            guard around.count == 2 else { continue }
            return .init(
                number: String(number), isMarked: true, before: String(around[0]),
                highlighted: name,
                after: String(around[1]))
        }
        return .init(
            number: String(number), isMarked: true, before: text, highlighted: nil, after: "")
    }

    /// What stands in quotes in the error's sentence, then the member.
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

    /// The last name of the path; nil for the place in a list.
    private var memberName: String? {
        error.path.split(separator: ".").last.flatMap { Int($0) == nil ? String($0) : nil }
    }

    /// The error's sentence behind its path, which need not name it twice.
    private var detail: String {
        var text = error.detail
        if let member = memberName, text.hasPrefix(member + " ") {
            text = String(text.dropFirst(member.count + 1))
        }
        return text.hasSuffix(".") ? text : text + "."
    }
}
