import Apps
import Simulator
import Web

/// What a sheet's address asks for: which apps, which of their states, how
/// they are drawn, and what is selected.
struct BoardQuery: Sendable {
    var app: String
    /// A second app's sheet below the first.
    var comparedAppID: String?
    var screen: String?
    var kind: StateKind?
    var size = DeviceSizes.all[0]
    var appearance = Device.Display.Appearance.system
    var zoom = BoardQuery.defaultZoom
    var selected: TileID?

    /// A state of a screen of one of the apps.
    struct TileID: Sendable, Hashable {
        var app: String
        var screen: String
        var state: String
    }

    /// In per cent: the scales the buttons step through, and those a wheel
    /// and an address may say.
    static let zoomSteps = [12, 24, 50, 100]
    static let zoomRange = 3...100
    static let defaultZoom = 24
    static let parameterNames = [
        "beside", "screen", "kind", "size", "appearance", "zoom", "at", "of",
    ]

    init(app: String) { self.app = app }

    /// Throws a `Problem` that names the value there is no choice of.
    init(app: String, query: [String: String]) throws(Problem) {
        self.app = app
        // An app is beside others, not beside itself.
        comparedAppID = query["beside"]?.nonEmpty.flatMap { $0 == app ? nil : $0 }
        screen = query["screen"]?.nonEmpty
        func choice(_ name: String, of words: [String]) throws(Problem) -> String? {
            try Form.choice(query[name], named: name, of: words)
        }
        kind = try choice("kind", of: StateKind.allCases.map(\.rawValue)).flatMap(StateKind.init)
        let size = try choice("size", of: DeviceSizes.all.map(\.id))
        self.size = size.flatMap(DeviceSizes.size) ?? self.size
        let looks = Device.Display.Appearance.allCases.map(\.rawValue)
        appearance =
            try choice("appearance", of: looks).flatMap(Device.Display.Appearance.init)
            ?? appearance
        if let given = query["zoom"]?.nonEmpty {
            guard let zoom = Int(given), Self.zoomRange.contains(zoom) else {
                throw .unknownChoice(
                    "zoom", "\(Self.zoomRange.lowerBound) to \(Self.zoomRange.upperBound) per cent")
            }
            self.zoom = zoom
        }
        guard let at = query["at"]?.nonEmpty else { return }
        let parts = at.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .unknownState(at) }
        selected = TileID(
            app: query["of"]?.nonEmpty ?? app, screen: String(parts[0]), state: String(parts[1]))
    }

    // MARK: Addresses

    var link: String { Links.url(Links.storyboard(app), queryItems) }

    var partURL: String { Links.partURL(Links.storyboard(app), queryItems) }

    func link(_ change: (inout BoardQuery) -> Void) -> String {
        var other = self
        change(&other)
        return other.link
    }

    /// What is usual is left out.
    private var queryItems: [(String, String?)] {
        let usual = BoardQuery(app: app)
        return [
            ("beside", comparedAppID), ("screen", screen), ("kind", kind?.rawValue),
            ("size", size.id == usual.size.id ? nil : size.id),
            ("appearance", appearance == usual.appearance ? nil : appearance.rawValue),
            ("zoom", zoom == usual.zoom ? nil : String(zoom)),
            ("of", selected.flatMap { $0.app == app ? nil : $0.app }),
            ("at", selected.map { "\($0.screen)/\($0.state)" }),
        ]
    }

    // MARK: Narrowing

    var isFiltered: Bool { screen != nil || kind != nil }

    func matches(_ screen: Screen, _ state: ScreenState) -> Bool {
        (self.screen.map { $0 == screen.id } ?? true)
            && (kind.map { $0 == StateKind(state.cause) } ?? true)
    }
}

extension Problem {
    static func unknownState(_ name: String) -> Problem {
        Problem(
            status: 404, code: "unknown-state", title: "This app has no such state",
            detail: "No screen of it has the state \(name.prefix(80)).")
    }
}
