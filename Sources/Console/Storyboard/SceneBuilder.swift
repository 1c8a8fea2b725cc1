import Apps
import Simulator
import Web

/// Gathers what the page of one state shows.
struct SceneBuilder {
    let services: Services
    let app: App
    let screen: Screen
    let state: ScreenState
    let scene: Scene
    let view: View
    let origin: String

    /// How it is looked at: part of the address, so that a step keeps it.
    struct View: Sendable {
        /// Nil is all of them.
        var size: String?
        var appearance: Look = .both
        var text = Device.Display.TextSize.default

        enum Look: String, Sendable, CaseIterable { case both, light, dark }

        static let names = ["size", "appearance", "text"]

        init(asked: [String: String]) throws(Problem) {
            size = try Form.choice(asked["size"], named: "size", of: DeviceSizes.all.map(\.id))
            appearance =
                try Form.choice(
                    asked["appearance"], named: "appearance", of: Look.allCases.map(\.rawValue)
                ).flatMap(Look.init) ?? .both
            text =
                try Form.choice(
                    asked["text"], named: "text",
                    of: Device.Display.TextSize.allCases.map(\.rawValue)
                ).flatMap(Device.Display.TextSize.init) ?? .default
        }

        fileprivate var items: [(String, String?)] {
            [
                ("size", size), ("appearance", appearance == .both ? nil : appearance.rawValue),
                ("text", text == .default ? nil : text.rawValue),
            ]
        }
    }

    func build(_ frame: FrameModel, csrf: String) throws -> SceneModel {
        let words = StateWords(app, screen)
        let (position, before, after) = neighbours
        var address = SheetAddress(app: app.id)
        address.selected = .init(app: app.id, screen: screen.id, state: state.name)
        let panel = try PanelBuilder(
            app: app, address: address, scene: scene, showing: services.showing(of: scene),
            origin: origin
        ).build(.init(app: app.id, screen: screen.id, state: state.name))
        return SceneModel(
            frame: frame, csrf: csrf, appName: app.name, glyph: GlyphModel(app),
            sheetURL: address.link, sceneTitle: "\(screen.id), \(words.title(of: state))",
            positionText: position, before: before, after: after, spreads: spreads, looks: looks,
            texts: texts, againAction: Links.playAgain(app.id, key(screen, state)),
            pageURL: link(screen, state, view), phones: phones, panel: panel)
    }

    // MARK: Steps

    private var neighbours: (String, SceneModel.Step?, SceneModel.Step?) {
        let all = app.screens.flatMap { screen in app.screenStates(of: screen).map { (screen, $0) }
        }
        let at = all.firstIndex { $0.0.id == screen.id && $0.1.name == state.name } ?? 0
        let step = { (index: Int) -> SceneModel.Step? in
            guard all.indices.contains(index) else { return nil }
            let (screen, state) = all[index]
            let words = StateWords(app, screen)
            return .init(
                stepName: "\(screen.id), \(words.title(of: state))", href: link(screen, state, view)
            )
        }
        return ("\(at + 1) of \(all.count)", step(at - 1), step(at + 1))
    }

    private func key(_ screen: Screen, _ state: ScreenState) -> Scene.Key {
        .init(screen: screen.id, state: state.name)
    }

    private func link(_ screen: Screen, _ state: ScreenState, _ view: View) -> String {
        Links.query(Links.scene(app.id, key(screen, state)), view.items)
    }

    private func link(_ change: (inout View) -> Void) -> String {
        var other = view
        change(&other)
        return link(screen, state, other)
    }

    // MARK: Controls

    private var spreads: [SheetModel.Choice] {
        [
            .init(
                id: "all", name: "All sizes", href: link { $0.size = nil },
                current: view.size == nil)
        ]
            + DeviceSizes.all.sorted { $0.width < $1.width }.map { size in
                .init(
                    id: size.id, name: size.shortLabel, href: link { $0.size = size.id },
                    current: view.size == size.id)
            }
    }

    private var looks: SheetModel.Looks? {
        guard app.appearance == .system else { return nil }
        return .init(
            appearances: View.Look.allCases.map { look in
                .init(
                    id: look.rawValue, name: look.rawValue.capitalizedFirst,
                    href: link { $0.appearance = look }, current: view.appearance == look)
            })
    }

    /// The steps there is a choice of, and what they are called.
    static let textSizes: [(Device.Display.TextSize, String)] = [
        (.default, "Aa"), (.extraLarge, "Aa large"), (.accessibilityLarge, "Aa largest"),
    ]

    private var texts: [SheetModel.Choice] {
        Self.textSizes.map { size, name in
            .init(
                id: size.rawValue, name: name, href: link { $0.text = size },
                current: view.text == size)
        }
    }

    // MARK: Phones

    private var phones: [SceneModel.Phone] {
        let sizes = view.size.flatMap(DeviceSizes.named).map { [$0] } ?? DeviceSizes.all
        return shownLooks.flatMap { look in sizes.map { phone($0, look) } }
    }

    private var shownLooks: [Device.Display.Appearance] {
        guard app.appearance == .system else { return [.system] }
        return switch view.appearance {
        case .both: [.light, .dark]
        case .light: [.light]
        case .dark: [.dark]
        }
    }

    private func phone(_ size: DeviceSizes.Size, _ look: Device.Display.Appearance)
        -> SceneModel.Phone
    {
        let name = "\(size.label), \(size.width) × \(size.height)"
        return SceneModel.Phone(
            sizeClass: "phone-\(size.id)", ink: app.shown(as: look).statusBar,
            caption: look == .system ? name : "\(name), \(look.rawValue)",
            spoken: "\(screen.id) on \(size.label)" + (look == .system ? "" : ", \(look.rawValue)"),
            frameURL: Links.tile(
                app.id, key(screen, state), size: size.id,
                appearance: look == .system ? nil : look.rawValue,
                text: view.text == .default ? nil : view.text.rawValue))
    }
}
