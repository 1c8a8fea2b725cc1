import Apps
import Simulator
import Web

/// What the address of an accessibility sheet asks for: which screen, which
/// findings, and the phone its states are measured on.
struct AccessibilityAddress: Sendable {
    let app: App
    var screen: String?
    var finding: FindingKind?
    var size = DeviceSizes.all[0]
    /// Light or dark; of no meaning where the app has one look only.
    var appearance = Device.Display.Appearance.light
    var text = Device.Display.TextSize.default

    static let names = ["screen", "finding", "size", "appearance", "text"]
    static let appearances = [Device.Display.Appearance.light, .dark]

    /// Throws a `Problem` that names the value there is no choice of.
    init(app: App, asked: [String: String]) throws(Problem) {
        self.app = app
        func choice(_ name: String, of words: [String]) throws(Problem) -> String? {
            try Form.choice(asked[name], named: name, of: words)
        }
        screen = try choice("screen", of: app.screens.map(\.id))
        finding = try choice("finding", of: FindingKind.allCases.map(\.rawValue)).flatMap(
            FindingKind.init)
        size = try choice("size", of: DeviceSizes.all.map(\.id)).flatMap(DeviceSizes.named) ?? size
        appearance =
            try choice("appearance", of: Self.appearances.map(\.rawValue)).flatMap(
                Device.Display.Appearance.init) ?? appearance
        text =
            try choice("text", of: Device.Display.TextSize.allCases.map(\.rawValue)).flatMap(
                Device.Display.TextSize.init) ?? text
    }

    // MARK: Addresses

    var link: String { Links.query(Links.accessibility(app.id), items) }

    var partURL: String { Links.part(Links.accessibility(app.id), items) }

    func link(_ change: (inout AccessibilityAddress) -> Void) -> String {
        var other = self
        change(&other)
        return other.link
    }

    /// A state's own page, drawn the same.
    func scene(_ key: Scene.Key) -> String {
        Links.query(
            Links.scene(app.id, key),
            [
                ("size", size.id), ("appearance", look),
                ("text", text == .default ? nil : text.rawValue),
            ])
    }

    /// The document that is measured.
    func tile(_ key: Scene.Key) -> String {
        Links.tile(
            app.id, key, size: size.id, appearance: look,
            text: text == .default ? nil : text.rawValue)
    }

    /// Nil where the app has one look only.
    private var look: String? { app.appearance == .system ? appearance.rawValue : nil }

    /// What is usual is left out.
    private var items: [(String, String?)] {
        [
            ("screen", screen), ("finding", finding?.rawValue),
            ("size", size.id == DeviceSizes.all[0].id ? nil : size.id),
            ("appearance", appearance == .light ? nil : appearance.rawValue),
            ("text", text == .default ? nil : text.rawValue),
        ]
    }
}
