// swift-tools-version: 6.2
import PackageDescription

/// The language settings of every room (`Tests/ArchitectureTests` holds them).
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"), .treatAllWarnings(as: .error),
    // The suites see what is internal in the very build that is run.
    .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
]

/// The settings of a room without C: there, an unsafe pointer is an error.
let pure: [SwiftSetting] = house + [.strictMemorySafety()]

/// The settings of the tests: they meet optimised code, and are none.
let tests: [SwiftSetting] = house + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
    name: "foyer", products: [.executable(name: "foyer", targets: ["foyer"])],
    targets: [
        // The cellar: C libraries, each behind a module map and a shim.
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
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CMustache"),

        // The ground: one adapter per C library.
        .target(name: "HTTPServer", dependencies: ["Web", "CMicrohttpd"], swiftSettings: house),
        .target(name: "HTTPClient", dependencies: ["Web", "CCurl"], swiftSettings: house),
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: house),
        .target(name: "Secrets", dependencies: ["CRhonabwy", "CCrypt"], swiftSettings: house),
        .target(name: "Packing", dependencies: ["CZlib"], swiftSettings: house),

        // The hall: messages, templates, manifests, the outside world.
        .target(name: "Surroundings", swiftSettings: pure),
        .target(name: "Web", dependencies: ["Surroundings"], swiftSettings: pure),
        .target(
            name: "Templates", dependencies: ["Surroundings", "CMustache"], swiftSettings: house),
        .target(name: "Darkroom", dependencies: ["Surroundings", "Web"], swiftSettings: house),
        .target(name: "Apps", dependencies: ["Surroundings", "Web"], swiftSettings: pure),

        // The rooms: what Foyer is about.
        .target(
            name: "Traffic", dependencies: ["Surroundings", "Web", "SQLite", "Secrets", "Packing"],
            swiftSettings: pure),
        .target(
            name: "Simulator",
            dependencies: ["Apps", "Traffic", "SQLite", "Secrets", "Web", "Surroundings"],
            swiftSettings: pure),
        .target(
            name: "Backend", dependencies: ["Web", "SQLite", "Secrets", "Surroundings"],
            swiftSettings: pure),

        // The study: pages, fragments and the JSON API.
        .target(
            name: "Console",
            dependencies: [
                "Web", "Templates", "Apps", "Traffic", "Simulator", "Backend", "Surroundings",
            ], swiftSettings: pure),

        // The roof: arguments, composition root, signals.
        .executableTarget(
            name: "foyer",
            dependencies: [
                "Console", "Backend", "Simulator", "Traffic", "Apps",
                "Templates", "Web", "Surroundings", "HTTPServer",
                "HTTPClient", "SQLite", "Secrets", "Darkroom",
            ],
            swiftSettings: house),

        // Tests: one suite per type with behaviour, then the journeys.
        .target(
            name: "Support", dependencies: ["Surroundings", "Web", "SQLite", "Secrets"],
            path: "Tests/Support", swiftSettings: tests),
        .testTarget(
            name: "SurroundingsTests", dependencies: ["Support", "Surroundings"],
            swiftSettings: tests),
        .testTarget(
            name: "WebTests", dependencies: ["Support", "Web", "Surroundings"], swiftSettings: tests
        ),
        .testTarget(
            name: "TemplatesTests", dependencies: ["Support", "Templates"],
            exclude: ["Specification"], swiftSettings: tests),
        .testTarget(
            name: "DarkroomTests", dependencies: ["Support", "Darkroom", "Surroundings", "Web"],
            swiftSettings: tests),
        .testTarget(
            name: "HTTPServerTests", dependencies: ["Support", "HTTPServer", "Web"],
            swiftSettings: tests),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["Support", "HTTPClient", "HTTPServer", "Web"],
            swiftSettings: tests),
        .testTarget(
            name: "SQLiteTests", dependencies: ["Support", "SQLite"], swiftSettings: tests),
        .testTarget(
            name: "SecretsTests", dependencies: ["Support", "Secrets"], swiftSettings: tests),
        .testTarget(
            name: "PackingTests", dependencies: ["Support", "Packing", "CZlib"],
            swiftSettings: tests),
        .testTarget(
            name: "AppsTests", dependencies: ["Support", "Apps", "Web"], swiftSettings: tests),
        .testTarget(
            name: "TrafficTests",
            dependencies: ["Support", "Traffic", "Surroundings", "Web", "SQLite", "Secrets"],
            swiftSettings: tests),
        .testTarget(
            name: "SimulatorTests",
            dependencies: [
                "Support", "Simulator", "Apps", "Traffic", "SQLite", "Secrets", "Web",
                "Surroundings",
            ], swiftSettings: tests),
        .testTarget(
            name: "BackendTests",
            dependencies: ["Support", "Backend", "Web", "SQLite", "Secrets", "Surroundings"],
            exclude: ["Transcripts"], swiftSettings: tests),
        .testTarget(
            name: "ConsoleTests",
            dependencies: [
                "Support", "Console", "Web", "Templates", "Apps", "Traffic", "Simulator", "Backend",
                "Surroundings", "Secrets", "SQLite",
            ], swiftSettings: tests),
        .testTarget(
            name: "Journeys",
            dependencies: [
                "Support", "Surroundings", "Web", "SQLite", "Secrets", "Templates", "Apps",
                "Traffic", "Simulator", "Backend", "Console", "HTTPServer", "HTTPClient",
            ], path: "Tests/Journeys", exclude: ["Landed"], swiftSettings: tests),
        .testTarget(
            name: "ArchitectureTests", dependencies: ["Support"], path: "Tests/ArchitectureTests",
            swiftSettings: tests),
    ], cxxLanguageStandard: .cxx17)
