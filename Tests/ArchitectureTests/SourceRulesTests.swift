import FoundationEssentials
import Testing

/// Rules for every source file.
@Suite(.timeLimit(.minutes(10))) struct SourceRulesTests {
    static let sources = LayersTests.sources

    @Test func `no source file imports Foundation, which includes ICU`() {
        for file in Self.sources { #expect(!file.imports.contains("Foundation"), "\(file.path)") }
    }

    @Test func `time, identifiers, randomness and sleep come from World`() {
        let calls = [
            "Date()", "Date.now", "UUID()", "SystemRandomNumberGenerator", ".random(in:",
            "Task.sleep",
        ]
        for file in Self.sources where !["Core", "foyer"].contains(file.module) {
            let locations = file.locations { line in
                calls.contains { line.contains($0) }
                    // Adapters and templates do not use `World`, so they may read the clock.
                    || line.contains("ContinuousClock")
                        && !LayersTests.adapters.union(["Templates"]).contains(file.module)
            }
            #expect(locations.isEmpty, "take it from the World")
        }
    }

    @Test func `no declaration is public or open`() throws {
        let declared = try Regex(#"^\s*(@\w+ )*(public|open)(\(set\))? +[a-z]+ "#)
        for file in Self.sources {
            let locations = file.locations { $0.contains(declared) }
            #expect(locations.isEmpty)
        }
    }

    @Test func `only adapters opt out of the compiler's concurrency checks`() {
        for file in Self.sources where !LayersTests.adapters.contains(file.module) {
            let locations = file.locations { line in
                line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)")
                    || line.contains("@preconcurrency")
            }
            #expect(locations.isEmpty)
        }
    }

    @Test func `no source file uses try!, fatalError or as!`() {
        for file in Self.sources {
            let locations = file.locations { line in
                line.contains("try!") || line.contains("fatalError(") || line.contains(" as! ")
            }
            #expect(locations.isEmpty)
        }
    }

    @Test func `no file is named Manager, Helper, Utils or Impl`() {
        let endings = ["Manager", "Helper", "Helpers", "Utils", "Impl"]
        for file in SourceTree.files("Sources", ".swift") {
            let name = file.path.split(separator: "/").last?.split(separator: ".").first ?? ""
            #expect(!endings.contains { name.hasSuffix($0) }, "\(file.path)")
        }
    }

    @Test func `no code outside the contracts names an app`() {
        let names: Set = ["mystica", "bob", "wall", "socoto", "clarity"]
        for file in Self.sources
        where !file.path.hasPrefix("Sources/BackendContracts/") {
            let locations = file.locations { line in
                let code = line.firstRange(of: " //").map { line[..<$0.lowerBound] }
                let words = (code ?? line).lowercased().split { !$0.isLetter }
                return words.contains { names.contains(String($0)) }
            }
            #expect(locations.isEmpty)
        }
    }

    @Test func `a file has fewer than 400 lines`() {
        let files =
            SourceTree.files("Sources") + SourceTree.files("Tests", ".swift")
            + SourceTree.files("Tests", ".py")
            + SourceTree.files("Public", ".js")
        #expect(files.count > 200)
        for file in files { #expect(file.lines.count < 400, "\(file.path)") }
    }

    /// A time limit names the test that hangs; without one, only the limit of the entire run ends
    /// it.
    @Test func `every test suite has a time limit`() {
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

    @Test func `every source file has a doc comment`() {
        for file in Self.sources where !file.path.hasSuffix("/main.swift") {
            #expect(file.text.contains("///"), "\(file.path)")
        }
    }

    @Test func `Package.swift enables the required compiler settings`() {
        let package = SourceTree.files("", "Package.swift").first?.text ?? ""
        for setting in [
            ".swiftLanguageMode(.v6)", ".enableUpcomingFeature(\"ExistentialAny\")",
            ".enableUpcomingFeature(\"InternalImportsByDefault\")",
            ".enableUpcomingFeature(\"MemberImportVisibility\")",
            ".enableUpcomingFeature(\"NonisolatedNonsendingByDefault\")",
            ".treatAllWarnings(as: .error)", ".strictMemorySafety()",
        ] { #expect(package.contains(setting), "\(setting)") }
    }

    @Test func `no file contains a path of the development machine`() {
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
