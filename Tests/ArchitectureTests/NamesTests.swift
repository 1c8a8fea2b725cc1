import Testing

/// Words and names that a newcomer can read.
@Suite(.timeLimit(.minutes(10))) struct NamesTests {
    /// Words without a technical meaning, in place of the field's terms.
    private static let forbidden: Set = [
        "somebody", "nobody", "whoever", "someone", "anybody", "mend", "mends", "mended", "mending",
        "befall", "befalls", "befell", "manieth",
    ]

    @Test func `code, texts and templates are in plain technical English`() {
        let files =
            SourceTree.files("Sources") + SourceTree.files("templates") + SourceTree.files("Public")
            + SourceTree.files("", "README.md")
        for file in files {
            for (index, line) in file.lines.enumerated() {
                // Without constants such as `CURLOPT_NOBODY`.
                let line = line.replacing("_NOBODY", with: "").lowercased()
                let words = Set(line.split { !$0.isLetter }.map(String.init))
                #expect(
                    words.isDisjoint(with: Self.forbidden) && !line.contains("what came of"),
                    "\(file.path):\(index + 1)")
            }
        }
    }

    @Test func `no two targets declare a type of the same name`() throws {
        let declaration = try Regex(
            #"^(?:package |final |indirect |nonisolated |@\w+ )*(?:struct|class|enum|protocol|actor) (\w+)"#
        )
        var targets: [String: Set<String>] = [:]
        for file in LayersTests.sources {
            for line in file.lines {
                guard let name = line.firstMatch(of: declaration)?.output[1].substring else {
                    continue
                }
                targets[String(name), default: []].insert(file.module)
            }
        }
        #expect(targets.count > 400)
        for (name, modules) in targets { #expect(modules.count == 1, "\(name): \(modules)") }
    }
}
