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

    /// The names of the types that a file declares at its top level.
    private static func types(in file: SourceFile) throws -> [String] {
        let declaration = try Regex(
            #"^(?:package |final |indirect |nonisolated |@\w+ )*(?:struct|class|enum|protocol|actor) (\w+)"#
        )
        return file.lines.compactMap {
            $0.firstMatch(of: declaration)?.output[1].substring.map(String.init)
        }
    }

    @Test func `no two targets declare a type of the same name`() throws {
        var targets: [String: Set<String>] = [:]
        for file in LayersTests.sources {
            for name in try Self.types(in: file) { targets[name, default: []].insert(file.module) }
        }
        #expect(targets.count > 400)
        for (name, modules) in targets { #expect(modules.count == 1, "\(name): \(modules)") }
    }

    @Test func `no two folders of a target depend on each other`() throws {
        let files = LayersTests.sources.filter { $0.folder != nil }
        var folders: [String: String] = [:]
        for file in files {
            for name in try Self.types(in: file) { folders["\(file.module).\(name)"] = file.folder }
        }
        var dependencies: Set<[String]> = []
        for file in files {
            guard let folder = file.folder else { continue }
            for (_, line) in SourceFile(path: file.path, text: file.withoutStrings).code {
                for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                    if let other = folders["\(file.module).\(word)"], other != folder {
                        dependencies.insert([folder, other])
                    }
                }
            }
        }
        #expect(dependencies.count > 100)
        let mutual = dependencies.filter { dependencies.contains([$0[1], $0[0]]) }
        #expect(mutual == [])
    }
}
