// swift-tools-version: 6.2
import PackageDescription

/// The language settings of every module (`Tests/ArchitectureTests` checks them).
let standard: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .treatAllWarnings(as: .error),
    // The tests access internal declarations of the build that is run. Optimizing across modules
    // specializes the generic types of one module for the types of another.
    .unsafeFlags(
        ["-enable-testing", "-cross-module-optimization"], .when(configuration: .release)),
]

/// The settings of a module without C: there, unsafe pointers are errors.
let safe: [SwiftSetting] = standard + [.strictMemorySafety()]

/// The executable contains Swift's libraries: it starts in less time than with shared ones, and its
/// calls to them are direct. FoundationEssentials needs the last two. The default linker would warn
/// of `mktemp` in it, which nothing calls.
let staticLibraries: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-use-ld=lld", "-l_FoundationCollections", "-l_FoundationCShims",
        ], .when(configuration: .release))
]

/// The settings of the tests: they run against optimized code, but are not optimized themselves.
let tests: [SwiftSetting] = standard + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
    name: "foyer", products: [.executable(name: "foyer", targets: ["foyer"])],
    targets: [
        // C libraries, each with a module map and a shim.
        .systemLibrary(
            name: "CMicrohttpd", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CRhonabwy", pkgConfig: "librhonabwy", providers: [.apt(["librhonabwy-dev"])]),
        .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CGlibc"),
        // The memory allocator of the executable.
        .target(
            name: "CJemalloc", publicHeadersPath: ".", linkerSettings: [.linkedLibrary("jemalloc")]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CQrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),

        // Adapters, one per C library.
        .target(
            name: "HTTPServer", dependencies: ["Core", "Web", "CMicrohttpd"],
            swiftSettings: standard),
        .target(
            name: "SMTPServer", dependencies: ["Email", "HTTPServer"], swiftSettings: standard),
        .target(name: "HTTPClient", dependencies: ["Web", "CCurl"], swiftSettings: standard),
        .target(name: "SQLite", dependencies: ["Core", "CSQLite"], swiftSettings: standard),
        .target(
            name: "Crypto", dependencies: ["Core", "CRhonabwy", "CCrypt"], swiftSettings: standard),
        .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: standard),
        .target(name: "QRCodes", dependencies: ["CQrencode"], swiftSettings: standard),

        // Foundation: messages, templates, manifests, the outside world.
        .target(name: "Core", swiftSettings: safe),
        .target(name: "Web", dependencies: ["Core"], swiftSettings: safe),
        .target(name: "Templates", dependencies: ["Core"], swiftSettings: safe),
        .target(name: "Diagrams", swiftSettings: safe),
        .target(name: "DesignTokens", dependencies: ["Core", "Web"], swiftSettings: safe),
        .target(
            name: "BrowserCapture", dependencies: ["Core", "Web", "CGlibc"],
            swiftSettings: standard),
        .target(name: "Email", dependencies: ["Web"], swiftSettings: safe),
        .target(name: "TableSchemas", dependencies: ["Web"], swiftSettings: safe),
        .target(
            name: "Apps", dependencies: ["TableSchemas", "Core", "Web"], swiftSettings: safe),

        // Domain: traffic, simulated devices, the embedded backend.
        .target(
            name: "Traffic", dependencies: ["Core", "Web", "SQLite", "Crypto", "Compression"],
            swiftSettings: safe),
        .target(
            name: "Simulator",
            dependencies: ["Apps", "Traffic", "SQLite", "Crypto", "Web", "Core"],
            swiftSettings: safe),
        .target(
            name: "Backend",
            dependencies: ["TableSchemas", "Email", "Web", "SQLite", "Crypto", "Core"],
            swiftSettings: safe),
        .target(
            name: "BackendContracts",
            dependencies: [
                "Backend", "TableSchemas", "Web", "SQLite", "Crypto", "QRCodes", "Core",
            ],
            swiftSettings: safe),

        // Features: what orchestrates the domain, without HTTP.
        .target(
            name: "Workspaces",
            dependencies: ["Apps", "Traffic", "Simulator", "Backend", "Email", "Web", "Core"],
            swiftSettings: safe),
        .target(
            name: "Inspection",
            dependencies: ["Apps", "Traffic", "Simulator", "Backend", "Web", "Core"],
            swiftSettings: safe),
        .target(
            name: "Storyboards",
            dependencies: [
                "Apps", "Traffic", "Simulator", "Backend", "Workspaces", "Templates", "Web", "Core",
            ], swiftSettings: safe),

        // Pages, fragments and the JSON API.
        .target(
            name: "Console",
            dependencies: [
                "Web", "Templates", "Diagrams", "DesignTokens", "Apps", "Traffic", "Simulator",
                "Backend", "Core", "Workspaces", "Inspection", "Storyboards", "BrowserCapture",
            ], swiftSettings: safe),

        // The executable: arguments, composition root, signals.
        .executableTarget(
            name: "foyer",
            dependencies: [
                "Console", "Workspaces", "Inspection", "Storyboards", "BackendContracts",
                "Backend", "Simulator", "Traffic", "Apps", "Templates", "Web", "Core", "HTTPServer",
                "HTTPClient", "SMTPServer", "Email", "SQLite", "Crypto", "BrowserCapture",
                "CJemalloc",
            ],
            swiftSettings: standard, linkerSettings: staticLibraries),

        // Tests: one suite per type with behavior, then the journeys.
        .target(
            name: "Support", dependencies: ["Core", "Web", "SQLite", "Crypto"],
            path: "Tests/Support", swiftSettings: tests),
        .target(
            name: "DomainMocks", dependencies: ["Simulator", "Backend", "Web"],
            path: "Tests/DomainMocks", swiftSettings: tests),
        .testTarget(
            name: "CoreTests", dependencies: ["Support", "Core"],
            swiftSettings: tests),
        .testTarget(
            name: "WebTests", dependencies: ["Support", "Web", "Core"], swiftSettings: tests
        ),
        .testTarget(
            name: "TemplatesTests", dependencies: ["Support", "Templates"],
            exclude: ["Specification"], swiftSettings: tests),
        .testTarget(
            name: "DiagramsTests", dependencies: ["Support", "Diagrams"],
            swiftSettings: tests),
        .testTarget(
            name: "DesignTokensTests", dependencies: ["Support", "DesignTokens", "Core", "Web"],
            swiftSettings: tests),
        .testTarget(
            name: "BrowserCaptureTests",
            dependencies: ["Support", "BrowserCapture", "Core", "Web"],
            swiftSettings: tests),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["Support", "HTTPServer", "Web"],
            swiftSettings: tests),
        .testTarget(
            name: "SMTPServerTests",
            dependencies: ["Support", "SMTPServer", "Email", "HTTPServer", "CGlibc"],
            swiftSettings: tests),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: ["Support", "HTTPClient", "HTTPServer", "Web", "CGlibc"],
            swiftSettings: tests),
        .testTarget(
            name: "SQLiteTests", dependencies: ["Support", "SQLite"], swiftSettings: tests),
        .testTarget(
            name: "CryptoTests", dependencies: ["Support", "Crypto", "Core"], swiftSettings: tests),
        .testTarget(
            name: "CompressionTests", dependencies: ["Support", "Compression", "CZlib"],
            swiftSettings: tests),
        .testTarget(
            name: "QRCodesTests", dependencies: ["Support", "QRCodes"], swiftSettings: tests),
        .testTarget(
            name: "EmailTests", dependencies: ["Support", "Email"], swiftSettings: tests),
        .testTarget(
            name: "AppsTests", dependencies: ["Support", "Apps", "TableSchemas", "Web"],
            swiftSettings: tests),
        .testTarget(
            name: "TrafficTests",
            dependencies: ["Support", "Traffic", "Core", "Web", "SQLite", "Crypto"],
            swiftSettings: tests),
        .testTarget(
            name: "SimulatorTests",
            dependencies: [
                "Support", "Simulator", "Apps", "Traffic", "SQLite", "Crypto", "Web",
                "Core",
            ], swiftSettings: tests),
        .testTarget(
            name: "BackendTests",
            dependencies: [
                "Support", "BackendContracts", "Backend", "TableSchemas", "Web", "SQLite",
                "Crypto", "Core",
            ],
            exclude: ["Transcripts"], swiftSettings: tests),
        .testTarget(
            name: "InspectionTests",
            dependencies: [
                "Support", "DomainMocks", "Inspection", "Web", "Simulator", "Backend", "Core",
            ], swiftSettings: tests),
        .testTarget(
            name: "StoryboardsTests", dependencies: ["Support", "Storyboards", "Apps"],
            swiftSettings: tests),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Support", "DomainMocks", "Console", "Web", "Templates", "Apps", "Traffic",
                "Simulator", "Backend",
                "BackendContracts", "Core", "Crypto", "Email", "SQLite", "Workspaces",
                "Inspection", "Storyboards", "BrowserCapture",
            ], swiftSettings: tests),
        .testTarget(
            name: "Journeys",
            dependencies: [
                "Support", "Core", "Web", "SQLite", "Crypto", "Templates", "Apps",
                "Traffic", "Simulator", "Backend", "Console", "HTTPServer", "HTTPClient", "CGlibc",
            ], path: "Tests/Journeys", exclude: ["Landed"], swiftSettings: tests),
        .testTarget(
            name: "ArchitectureTests", dependencies: ["Support"], path: "Tests/ArchitectureTests",
            swiftSettings: tests),
    ])
