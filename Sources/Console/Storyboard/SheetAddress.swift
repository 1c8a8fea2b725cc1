import Apps
import Simulator
import Web

/// What a sheet's address asks for: which apps, which of their states, how
/// they are drawn, and what is selected.
struct SheetAddress: Sendable {
    var app: String
    /// A second app's sheet below the first.
    var beside: String?
    var screen: String?
    var kind: StateKind?
    var size = DeviceSizes.all[0]
    var appearance = Device.Display.Appearance.system
    var zoom = SheetAddress.usualZoom
    var selected: Tile?

    /// A state of a screen of one of the apps.
    struct Tile: Sendable, Hashable {
        var app: String
        var screen: String
        var state: String
    }

    /// In per cent: the scales the buttons step through, and those a wheel
    /// and an address may say.
    static let zooms = [12, 24, 50, 100]
    static let scales = 3...100
    static let usualZoom = 24
    static let names = ["beside", "screen", "kind", "size", "appearance", "zoom", "at", "of"]

    init(app: String) { self.app = app }

    /// Throws a `Problem` that names the value there is no choice of.
    init(app: String, asked: [String: String]) throws(Problem) {
        self.app = app
        // An app is beside others, not beside itself.
        beside = asked["beside"]?.given.flatMap { $0 == app ? nil : $0 }
        screen = asked["screen"]?.given
        func choice(_ name: String, of words: [String]) throws(Problem) -> String? {
            try Form.choice(asked[name], named: name, of: words)
        }
        kind = try choice("kind", of: StateKind.allCases.map(\.rawValue)).flatMap(StateKind.init)
        let size = try choice("size", of: DeviceSizes.all.map(\.id))
        self.size = size.flatMap(DeviceSizes.named) ?? self.size
        let looks = Device.Display.Appearance.allCases.map(\.rawValue)
        appearance =
            try choice("appearance", of: looks).flatMap(Device.Display.Appearance.init)
            ?? appearance
        if let given = asked["zoom"]?.given {
            guard let zoom = Int(given), Self.scales.contains(zoom) else {
                throw .unknownChoice(
                    "zoom", "\(Self.scales.lowerBound) to \(Self.scales.upperBound) per cent")
            }
            self.zoom = zoom
        }
        guard let at = asked["at"]?.given else { return }
        let parts = at.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .unknownState(at) }
        selected = Tile(
            app: asked["of"]?.given ?? app, screen: String(parts[0]), state: String(parts[1]))
    }

    // MARK: Addresses

    var link: String { Links.query(Links.storyboard(app), items) }

    var partURL: String { Links.part(Links.storyboard(app), items) }

    func link(_ change: (inout SheetAddress) -> Void) -> String {
        var other = self
        change(&other)
        return other.link
    }

    /// What is usual is left out.
    private var items: [(String, String?)] {
        let usual = SheetAddress(app: app)
        return [
            ("beside", beside), ("screen", screen), ("kind", kind?.rawValue),
            ("size", size.id == usual.size.id ? nil : size.id),
            ("appearance", appearance == usual.appearance ? nil : appearance.rawValue),
            ("zoom", zoom == usual.zoom ? nil : String(zoom)),
            ("of", selected.flatMap { $0.app == app ? nil : $0.app }),
            ("at", selected.map { "\($0.screen)/\($0.state)" }),
        ]
    }

    // MARK: Narrowing

    var isNarrowed: Bool { screen != nil || kind != nil }

    func fits(_ screen: Screen, _ state: ScreenState) -> Bool {
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
