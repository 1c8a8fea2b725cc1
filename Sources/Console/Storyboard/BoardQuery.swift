import Apps
import Simulator
import Storyboards
import Web

/// The query of a board's URL: the apps, the state filters, the display options and the selected
/// tile.
struct BoardQuery: PageQuery, Sendable {
    var app: String
    /// The id of a second app, whose board is shown below the first.
    var comparedAppID: String?
    var screen: String?
    var kind: StateKind?
    var size = DeviceSizes.all[0]
    var appearance = Device.Display.Appearance.system
    var zoom = BoardQuery.defaultZoom
    var selected: StateID?

    /// In percent: the steps of the zoom buttons, and the range a mouse wheel or a URL may use.
    static let zoomSteps = [12, 24, 50, 100]
    static let zoomRange = 3...100
    static let defaultZoom = 24
    static let parameterNames = [
        "compare", "screen", "kind", "size", "appearance", "zoom", "at", "of",
    ]

    init(app: String) { self.app = app }

    /// Throws a `Problem` that names an invalid value and its choices.
    init(app: String, query: [String: String]) throws(Problem) {
        self.app = app
        // An app is not compared with itself.
        comparedAppID = query["compare"]?.nonEmpty.flatMap { $0 == app ? nil : $0 }
        screen = query["screen"]?.nonEmpty
        kind = try query.choice("kind")
        size = try query.sizeChoice() ?? size
        appearance = try query.choice("appearance") ?? appearance
        if let zoomText = query["zoom"]?.nonEmpty {
            guard let zoom = Int(zoomText), Self.zoomRange.contains(zoom) else {
                throw .unknownChoice(
                    "zoom", "\(Self.zoomRange.lowerBound) to \(Self.zoomRange.upperBound) percent")
            }
            self.zoom = zoom
        }
        guard let at = query["at"]?.nonEmpty else { return }
        let parts = at.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .unknownState(at) }
        selected = StateID(
            app: query["of"]?.nonEmpty ?? app, screen: String(parts[0]), state: String(parts[1]))
    }

    // MARK: URLs

    var path: String { Links.storyboard(app) }

    var queryItems: [(String, String?)] {
        let defaults = BoardQuery(app: app)
        return [
            ("compare", comparedAppID), ("screen", screen), ("kind", kind?.rawValue),
            ("size", size.id == defaults.size.id ? nil : size.id),
            ("appearance", appearance == defaults.appearance ? nil : appearance.rawValue),
            ("zoom", zoom == defaults.zoom ? nil : String(zoom)),
            ("of", selected.flatMap { $0.app == app ? nil : $0.app }),
            ("at", selected.map { "\($0.screen)/\($0.state)" }),
        ]
    }

    // MARK: Filters

    var isFiltered: Bool { screen != nil || kind != nil }

    func matches(_ state: StoryboardState) -> Bool {
        (screen ?? state.screen.id) == state.screen.id && (kind ?? state.kind) == state.kind
    }
}

extension Problem {
    static func unknownState(_ name: String) -> Problem {
        Problem(
            status: 404, code: "unknown-state", title: "Unknown state",
            detail: "No screen of this app has the state \(name.prefix(80)).")
    }
}
