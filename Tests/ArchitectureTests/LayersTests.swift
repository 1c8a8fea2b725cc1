import FoundationEssentials
import Testing

/// A room imports only what stands below it.
@Suite(.timeLimit(.minutes(10))) struct LayersTests {
    /// Each room with what of ours it may import, bottom up.
    static let stairs: [(room: String, below: Set<String>)] = [
        ("SQLite", ["CSQLite"]),
        ("Crypto", ["CRhonabwy", "CCrypt"]),
        ("Compression", ["CZlib"]),
        ("Core", []),
        ("Web", ["Core"]),
        ("Templates", ["Core", "CMustache"]),
        ("HTTPServer", ["Web", "CMicrohttpd"]),
        ("HTTPClient", ["Web", "CCurl"]),
        ("BrowserCapture", ["Core", "Web"]),
        ("Apps", ["Core", "Web"]),
        ("Traffic", ["Core", "Web", "SQLite", "Crypto", "Compression"]),
        ("Simulator", ["Apps", "Traffic", "SQLite", "Crypto", "Web", "Core"]),
        ("Backend", ["Web", "SQLite", "Crypto", "Core"]),
        (
            "Console",
            ["Web", "Templates", "Apps", "Traffic", "Simulator", "Backend", "Core"]
        ),
        (
            "foyer",
            [
                "Console", "Backend", "Simulator", "Traffic", "Apps",
                "Templates", "Web", "Core", "HTTPServer",
                "HTTPClient", "SQLite", "Crypto", "BrowserCapture",
            ]
        ),
    ]

    /// What comes with Swift and the system, without Foundation's ICU.
    static let given: Set = ["FoundationEssentials", "Synchronization", "Dispatch", "Glibc"]

    static let adapters: Set = [
        "HTTPServer", "HTTPClient", "SQLite", "Crypto", "Compression", "Templates",
    ]

    static let sources = SourceTree.files("Sources", ".swift")

    @Test(arguments: stairs.map(\.room)) func `a room imports only what stands below it`(
        room: String
    ) {
        let below = Self.stairs.first { $0.room == room }?.below ?? []
        let files = Self.sources.filter { $0.room == room }
        #expect(!files.isEmpty)
        for file in files {
            let strange = Set(file.imports).subtracting(below).subtracting(Self.given)
            #expect(strange.isEmpty, "\(file.path)")
        }
    }

    @Test func `every room stands on the stairs`() {
        let rooms = Set(Self.sources.map(\.room))
        #expect(rooms == Set(Self.stairs.map(\.room)))
    }

    @Test func `the stairs lead down only`() {
        var known: Set<String> = []
        for (room, below) in Self.stairs {
            let ours = below.filter { !$0.hasPrefix("C") || $0 == "Console" }
            #expect(ours.subtracting(known).isEmpty, "\(room)")
            known.insert(room)
        }
    }

    @Test func `only an adapter imports a C module`() {
        for file in Self.sources where !Self.adapters.contains(file.room) {
            let c = file.imports.filter { name in
                name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
            }
            #expect(c.isEmpty, "\(file.path)")
        }
    }

    @Test func `Package.swift gives a room no more than the stairs`() {
        let package = SourceTree.files("", "Package.swift").first?.text ?? ""
        for (room, below) in Self.stairs {
            guard let start = package.ranges(of: "name: \"\(room)\",").last else {
                Issue.record("\(room) is not in Package.swift")
                continue
            }
            let target = package[start.upperBound...]
            guard let end = target.firstRange(of: "swiftSettings") else { continue }
            let words = target[..<end.lowerBound].split(separator: "\"")
            // Every second piece stands between quotation marks.
            let names = words.indices.filter { $0 % 2 == 1 }.map { String(words[$0]) }
            #expect(Set(names) == below, "\(room)")
        }
    }
}
