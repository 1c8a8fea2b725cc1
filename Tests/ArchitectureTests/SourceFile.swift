import FoundationEssentials

/// A text file of the project.
struct SourceFile {
    /// The path relative to the project's folder.
    let path: String
    let text: String

    /// The target a source file belongs to.
    var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    /// Target and folder of a source file below the target: `Console/Mailbox`; nil beside them.
    var folder: String? {
        let parts = path.split(separator: "/")
        return parts.count > 3 ? parts[1...2].joined(separator: "/") : nil
    }

    /// The text without string literals, comments excepted.
    var withoutStrings: String {
        let blocks = text.components(separatedBy: "\"\"\"").enumerated()
        let code = blocks.filter { $0.offset % 2 == 0 }.map(\.element).joined()
        return code.replacing("\\\"", with: "").components(separatedBy: "\"").enumerated()
            .filter { $0.offset % 2 == 0 }.map(\.element).joined(separator: " ")
    }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines, with their numbers, that are neither empty nor only a comment.
    var code: [(number: Int, line: Substring)] {
        lines.enumerated().compactMap { index, line in
            let trimmed = line.drop { $0 == " " }
            if trimmed.isEmpty || trimmed.hasPrefix("//") { return nil }
            return (index + 1, line)
        }
    }

    /// The modules this file imports.
    var imports: [String] {
        code.compactMap { _, line in
            // An indented one is text.
            guard !line.hasPrefix(" ") else { return nil }
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"),
                words[..<index].allSatisfy({ word in
                    word.hasPrefix("@")
                        || ["public", "package", "internal", "private", "fileprivate"].contains(
                            word)
                }), let last = words.last
            else { return nil }
            return String(last.split(separator: ".")[0])
        }
    }

    /// `path:line` of every line of code for which `condition` is true.
    func locations(where condition: (Substring) throws -> Bool) rethrows -> [String] {
        try code.filter { try condition($0.line) }.map { "\(path):\($0.number)" }
    }
}
