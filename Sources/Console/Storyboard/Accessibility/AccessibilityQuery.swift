import Apps
import Simulator
import Storyboards
import Web

/// The query of an accessibility page's URL: the screen, the kind of finding, and the phone to
/// measure on.
struct AccessibilityQuery: PageQuery, Sendable {
    let app: App
    var screen: String?
    var finding: FindingKind?
    var size = DeviceSizes.all[0]
    /// Light or dark; ignored if the app has a fixed appearance.
    var appearance = Device.Display.Appearance.light
    var textSize = Device.Display.TextSize.default

    static let parameterNames = ["screen", "finding", "size", "appearance", "text"]
    static let appearances = [Device.Display.Appearance.light, .dark]

    /// Throws a `Problem` that names an invalid value and its choices.
    init(app: App, query: [String: String]) throws(Problem) {
        self.app = app
        screen = try Form.choice(query["screen"], named: "screen", of: app.screens.map(\.id))
        finding = try query.choice("finding")
        size = try query.sizeChoice() ?? size
        appearance = try query.choice("appearance", of: Self.appearances) ?? appearance
        textSize = try query.choice("text") ?? textSize
    }

    // MARK: URLs

    var path: String { Links.accessibility(app.id) }

    var queryItems: [(String, String?)] {
        [
            ("screen", screen), ("finding", finding?.rawValue),
            ("size", size.id == DeviceSizes.all[0].id ? nil : size.id),
            ("appearance", appearance == .light ? nil : appearance.rawValue),
            ("text", textSize.queryValue),
        ]
    }

    /// The page of a state, with the same display options.
    func stateURL(_ state: StateID) -> String {
        Links.url(
            Links.storyboardState(state),
            [("size", size.id), ("appearance", appearanceName), ("text", textSize.queryValue)])
    }

    /// The document to measure.
    func tileURL(_ state: StateID) -> String {
        Links.tile(state, size: size.id, appearance: appearanceName, text: textSize.queryValue)
    }

    /// Nil if the app has a fixed appearance.
    private var appearanceName: String? { app.appearance == .system ? appearance.rawValue : nil }
}

/// The kind of an accessibility finding, by which the page is filtered.
enum FindingKind: String, CaseIterable, Sendable {
    case name, target, text, edge
    case announcement

    /// `Touch targets < 44 pt`.
    var label: String {
        switch self {
        case .name: "Names"
        case .target: "Touch targets < 44 pt"
        case .text: "Text contrast"
        case .edge: "Non-text contrast"
        case .announcement: "Announcements"
        }
    }
}
