/// One file, to be read line by line.
struct SourceFile {
    /// Below the project's folder.
    let path: String
    let text: String

    /// The target a source file belongs to.
    var room: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Lines that are neither empty nor only a comment, with their numbers.
    var code: [(number: Int, line: Substring)] {
        lines.enumerated().compactMap { index, line in
            let bare = line.drop { $0 == " " }
            if bare.isEmpty || bare.hasPrefix("//") { return nil }
            return (index + 1, line)
        }
    }

    /// The modules this file imports.
    var imports: [String] {
        code.compactMap { _, line in
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "import"),
                words[..<at].allSatisfy({ word in
                    word.hasPrefix("@")
                        || ["public", "package", "internal", "private", "fileprivate"].contains(
                            word)
                }), let last = words.last
            else { return nil }
            return String(last.split(separator: ".")[0])
        }
    }

    /// `path:line` of every line of code that `holds`.
    func places(where holds: (Substring) throws -> Bool) rethrows -> [String] {
        try code.filter { try holds($0.line) }.map { "\(path):\($0.number)" }
    }
}
