import FoundationEssentials
import Testing

/// Imports between modules.
@Suite(.timeLimit(.minutes(10))) struct LayersTests {
    /// Each module with the modules of this package that it may import, from the bottom up.
    static let layers: [(module: String, imports: Set<String>)] = [
        ("Core", []),
        ("SQLite", ["Core", "CSQLite"]),
        ("Crypto", ["Core", "CRhonabwy", "CCrypt"]),
        ("Compression", ["CZlib"]),
        ("QRCodes", ["CQrencode"]),
        ("Web", ["Core"]),
        ("Templates", ["Core"]),
        ("Diagrams", []),
        ("DesignTokens", ["Core", "Web"]),
        ("Email", ["Web"]),
        ("HTTPServer", ["Core", "Web", "CMicrohttpd"]),
        ("SMTPServer", ["Email", "HTTPServer"]),
        ("HTTPClient", ["Web", "CCurl"]),
        ("BrowserCapture", ["Core", "Web", "CGlibc"]),
        ("TableSchemas", ["Web"]),
        ("Apps", ["TableSchemas", "Core", "Web"]),
        ("Traffic", ["Core", "Web", "SQLite", "Crypto", "Compression"]),
        ("Simulator", ["Apps", "Traffic", "SQLite", "Crypto", "Web", "Core"]),
        ("Backend", ["TableSchemas", "Email", "Web", "SQLite", "Crypto", "Core"]),
        (
            "BackendContracts",
            ["Backend", "TableSchemas", "Web", "SQLite", "Crypto", "QRCodes", "Core"]
        ),
        ("Workspaces", ["Apps", "Traffic", "Simulator", "Backend", "Email", "Web", "Core"]),
        ("Inspection", ["Apps", "Traffic", "Simulator", "Backend", "Web", "Core"]),
        (
            "Storyboards",
            ["Apps", "Traffic", "Simulator", "Backend", "Workspaces", "Templates", "Web", "Core"]
        ),
        (
            "Console",
            [
                "Web", "Templates", "Diagrams", "DesignTokens", "Apps", "Traffic", "Simulator",
                "Backend", "Core", "Workspaces", "Inspection", "Storyboards", "BrowserCapture",
            ]
        ),
        (
            "foyer",
            [
                "Console", "Workspaces", "Inspection", "Storyboards", "BackendContracts",
                "Backend", "Simulator", "Traffic", "Apps", "Templates", "Web", "Core", "HTTPServer",
                "HTTPClient", "SMTPServer", "Email", "SQLite", "Crypto", "BrowserCapture",
                "CJemalloc",
            ]
        ),
    ]

    /// Modules of Swift and the system, without Foundation's ICU.
    static let systemModules: Set = [
        "FoundationEssentials", "Synchronization", "Dispatch", "Glibc",
    ]

    static let adapters: Set = [
        "HTTPServer", "HTTPClient", "SMTPServer", "SQLite", "Crypto", "Compression",
        "QRCodes", "BrowserCapture",
    ]

    static let sources = SourceTree.files("Sources", ".swift")

    @Test(arguments: layers.map(\.module)) func `a module imports only lower layers`(
        module: String
    ) {
        let allowed = Self.layers.first { $0.module == module }?.imports ?? []
        let files = Self.sources.filter { $0.module == module }
        #expect(!files.isEmpty)
        for file in files {
            let unexpected = Set(file.imports).subtracting(allowed).subtracting(Self.systemModules)
            #expect(unexpected.isEmpty, "\(file.path)")
        }
    }

    @Test func `every module is in the list of layers`() {
        let modules = Set(Self.sources.map(\.module))
        #expect(modules == Set(Self.layers.map(\.module)))
    }

    @Test func `a layer may import only layers before it`() {
        var lowerModules: Set<String> = []
        for (module, imports) in Self.layers {
            let own = imports.filter { !$0.hasPrefix("C") || $0 == "Console" }
            #expect(own.subtracting(lowerModules).isEmpty, "\(module)")
            lowerModules.insert(module)
        }
    }

    @Test func `only an adapter imports a C module`() {
        for file in Self.sources where !Self.adapters.contains(file.module) {
            let cModules = file.imports.filter { name in
                name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
            }
            #expect(cModules.isEmpty, "\(file.path)")
        }
    }

    @Test func `Package.swift gives a module exactly the imports of its layer`() {
        let package = SourceTree.files("", "Package.swift").first?.text ?? ""
        for (module, imports) in Self.layers {
            guard let start = package.ranges(of: "name: \"\(module)\",").last else {
                Issue.record("\(module) is not in Package.swift")
                continue
            }
            let target = package[start.upperBound...]
            guard let end = target.firstRange(of: "swiftSettings") else { continue }
            let pieces = target[..<end.lowerBound].split(separator: "\"")
            // Every second piece is between quotation marks.
            let names = pieces.indices.filter { $0 % 2 == 1 }.map { String(pieces[$0]) }
            #expect(Set(names) == imports, "\(module)")
        }
    }
}
