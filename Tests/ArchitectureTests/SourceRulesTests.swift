import FoundationEssentials
import Testing

/// What no source file may hold, whatever it does.
@Suite(.timeLimit(.minutes(10))) struct SourceRulesTests {
    static let sources = LayersTests.sources

    @Test func `nothing imports Foundation's ICU`() {
        for file in Self.sources { #expect(!file.imports.contains("Foundation"), "\(file.path)") }
    }

    @Test func `the outside comes in as a World`() {
        let calls = [
            "Date()", "Date.now", "UUID()", "SystemRandomNumberGenerator", ".random(in:",
            "Task.sleep",
        ]
        for file in Self.sources where !["Core", "foyer"].contains(file.room) {
            let places = file.places { line in
                calls.contains { line.contains($0) }
                    // An adapter stands beside the World, not on it.
                    || line.contains("ContinuousClock")
                        && !LayersTests.adapters.contains(file.room)
            }
            #expect(places.isEmpty, "take it from the World")
        }
    }

    @Test func `a room's face is package and nothing is public`() throws {
        let declared = try Regex(#"^\s*(@\w+ )*(public|open)(\(set\))? +[a-z]+ "#)
        for file in Self.sources {
            let places = file.places { $0.contains(declared) }
            #expect(places.isEmpty)
        }
    }

    @Test func `only adapters vouch for what the compiler cannot see`() {
        for file in Self.sources where !LayersTests.adapters.contains(file.room) {
            let places = file.places { line in
                line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)")
                    || line.contains("@preconcurrency")
            }
            #expect(places.isEmpty)
        }
    }

    @Test func `no path a request can reach ends the process`() {
        for file in Self.sources {
            let places = file.places { line in
                line.contains("try!") || line.contains("fatalError(") || line.contains(" as! ")
            }
            #expect(places.isEmpty)
        }
    }

    @Test func `no type is named for having no name`() {
        let endings = ["Manager", "Helper", "Helpers", "Utils", "Impl"]
        for file in SourceTree.files("Sources", ".swift") {
            let name = file.path.split(separator: "/").last?.split(separator: ".").first ?? ""
            #expect(!endings.contains { name.hasSuffix($0) }, "\(file.path)")
        }
    }

    @Test func `an app is data and no code knows one by name`() {
        let names: Set = ["mystica", "bob", "wall", "socoto", "clarity"]
        for file in Self.sources
        where !file.path.hasPrefix("Sources/Backend/Contracts/")
            // The list of contracts has to name them.
            && file.path != "Sources/Backend/EmbeddedBackend.swift"
        {
            let places = file.places { line in
                let spoken = line.firstRange(of: " //").map { line[..<$0.lowerBound] }
                let words = (spoken ?? line).lowercased().split { !$0.isLetter }
                return words.contains { names.contains(String($0)) }
            }
            #expect(places.isEmpty)
        }
    }

    @Test func `a file has less than 400 lines`() {
        let written =
            SourceTree.files("Sources") + SourceTree.files("Tests", ".swift")
            + SourceTree.files("Tests", ".py")
            + SourceTree.files("Public", ".js")
        #expect(written.count > 200)
        for file in written { #expect(file.lines.count < 400, "\(file.path)") }
    }

    /// A test that hangs is named by its limit; without one, the whole run ends
    /// at its own.
    @Test func `every suite of tests has a time limit`() {
        let files = SourceTree.files("Tests", "Tests.swift")
        #expect(files.count > 200)
        for file in files {
            let suites = file.text.split(separator: "\n@Suite").dropFirst()
            #expect(!suites.isEmpty, "\(file.path)")
            for suite in suites {
                let declaration = suite.prefix { $0 != "{" }
                #expect(declaration.contains(".timeLimit("), "\(file.path):\(declaration)")
            }
        }
    }

    @Test func `a file opens by saying what it is for`() {
        for file in Self.sources where !file.path.hasSuffix("/main.swift") {
            #expect(file.text.contains("///"), "\(file.path)")
        }
    }

    @Test func `the settings of the rooms are all in force`() {
        let package = SourceTree.files("", "Package.swift").first?.text ?? ""
        for setting in [
            ".swiftLanguageMode(.v6)", ".enableUpcomingFeature(\"ExistentialAny\")",
            ".enableUpcomingFeature(\"InternalImportsByDefault\")",
            ".enableUpcomingFeature(\"MemberImportVisibility\")",
            ".enableUpcomingFeature(\"NonisolatedNonsendingByDefault\")",
            ".treatAllWarnings(as: .error)", ".strictMemorySafety()",
        ] { #expect(package.contains(setting), "\(setting)") }
    }

    @Test func `no file knows the machine it was written on`() {
        let folders = ["/ho" + "me/", "/ro" + "ot/", "/wo" + "rk/"]
        let files =
            SourceTree.files("Sources") + SourceTree.files("Tests") + SourceTree.files("templates")
            + SourceTree.files("Public") + SourceTree.files("", "Package.swift")
            + SourceTree.files("", "README.md")
        for file in files {
            for (index, line) in file.lines.enumerated() {
                #expect(!folders.contains { line.contains($0) }, "\(file.path):\(index + 1)")
            }
        }
    }
}
