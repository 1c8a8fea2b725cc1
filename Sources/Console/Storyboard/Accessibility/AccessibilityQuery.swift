import Apps
import Simulator
import Web

/// What the address of an accessibility sheet asks for: which screen, which
/// findings, and the phone its states are measured on.
struct AccessibilityQuery: Sendable {
    let app: App
    var screen: String?
    var finding: FindingKind?
    var size = DeviceSizes.all[0]
    /// Light or dark; of no meaning where the app has one look only.
    var appearance = Device.Display.Appearance.light
    var textSize = Device.Display.TextSize.default

    static let parameterNames = ["screen", "finding", "size", "appearance", "text"]
    static let appearances = [Device.Display.Appearance.light, .dark]

    /// Throws a `Problem` that names the value there is no choice of.
    init(app: App, query: [String: String]) throws(Problem) {
        self.app = app
        func choice(_ name: String, of words: [String]) throws(Problem) -> String? {
            try Form.choice(query[name], named: name, of: words)
        }
        screen = try choice("screen", of: app.screens.map(\.id))
        finding = try choice("finding", of: FindingKind.allCases.map(\.rawValue)).flatMap(
            FindingKind.init)
        size = try choice("size", of: DeviceSizes.all.map(\.id)).flatMap(DeviceSizes.size) ?? size
        appearance =
            try choice("appearance", of: Self.appearances.map(\.rawValue)).flatMap(
                Device.Display.Appearance.init) ?? appearance
        textSize =
            try choice("text", of: Device.Display.TextSize.allCases.map(\.rawValue)).flatMap(
                Device.Display.TextSize.init) ?? textSize
    }

    // MARK: Addresses

    var link: String { Links.url(Links.accessibility(app.id), queryItems) }

    var partURL: String { Links.partURL(Links.accessibility(app.id), queryItems) }

    func link(_ change: (inout AccessibilityQuery) -> Void) -> String {
        var other = self
        change(&other)
        return other.link
    }

    /// A state's own page, drawn the same.
    func stateURL(_ key: StateRecording.Key) -> String {
        Links.url(
            Links.storyboardState(app.id, key),
            [
                ("size", size.id), ("appearance", appearanceName),
                ("text", textSize == .default ? nil : textSize.rawValue),
            ])
    }

    /// The document that is measured.
    func tileURL(_ key: StateRecording.Key) -> String {
        Links.tile(
            app.id, key, size: size.id, appearance: appearanceName,
            text: textSize == .default ? nil : textSize.rawValue)
    }

    /// Nil where the app has one look only.
    private var appearanceName: String? { app.appearance == .system ? appearance.rawValue : nil }

    /// What is usual is left out.
    private var queryItems: [(String, String?)] {
        [
            ("screen", screen), ("finding", finding?.rawValue),
            ("size", size.id == DeviceSizes.all[0].id ? nil : size.id),
            ("appearance", appearance == .light ? nil : appearance.rawValue),
            ("text", textSize == .default ? nil : textSize.rawValue),
        ]
    }
}
