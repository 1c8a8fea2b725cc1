import Apps
import Simulator
import Storyboards
import Web

/// Builds the model of the page of one state.
struct StateDetailBuilder {
    let services: Services
    let state: StoryboardState
    let recording: StateRecording
    let options: DisplayOptions
    let origin: String

    /// The display options, carried in the URL so that previous and next keep them.
    struct DisplayOptions: Sendable {
        /// Nil means all sizes.
        var size: String?
        var appearance: AppearanceChoice = .both
        var textSize = Device.Display.TextSize.default

        enum AppearanceChoice: String, Sendable, CaseIterable { case both, light, dark }

        static let parameterNames = ["size", "appearance", "text"]

        init(query: [String: String]) throws(Problem) {
            size = try Form.choice(query["size"], named: "size", of: DeviceSizes.all.map(\.id))
            appearance =
                try Form.choice(
                    query["appearance"], named: "appearance",
                    of: AppearanceChoice.allCases.map(\.rawValue)
                ).flatMap(AppearanceChoice.init) ?? .both
            textSize =
                try Form.choice(
                    query["text"], named: "text",
                    of: Device.Display.TextSize.allCases.map(\.rawValue)
                ).flatMap(Device.Display.TextSize.init) ?? .default
        }

        fileprivate var queryItems: [(String, String?)] {
            [
                ("size", size), ("appearance", appearance == .both ? nil : appearance.rawValue),
                ("text", textSize == .default ? nil : textSize.rawValue),
            ]
        }
    }

    private var app: App { state.app }
    private var screen: Screen { state.screen }

    func build(_ frame: FrameModel, csrfToken: String) -> StateDetailModel {
        let (position, previous, following) = neighbors
        var boardQuery = BoardQuery(app: app.id)
        boardQuery.selected = state.id
        let panel = StatePanelBuilder(
            state: state, query: boardQuery, recording: recording,
            renderStatus: services.renderStatus(of: recording),
            origin: origin
        ).build()
        return StateDetailModel(
            frame: frame, csrf: csrfToken, appName: app.name, glyph: GlyphModel(app),
            boardURL: boardQuery.link, stateTitle: "\(screen.id), \(state.title)",
            positionText: position, previous: previous, following: following,
            sizeChoices: sizeChoices,
            appearanceChoices: appearanceChoices,
            textSizes: textSizeChoices, replayAction: Links.replayState(state.id),
            pageURL: link(state, options), phones: makePhones, panel: panel)
    }

    // MARK: Steps

    private var neighbors: (String, StateDetailModel.Step?, StateDetailModel.Step?) {
        let all = app.storyboardStates
        let currentIndex = all.firstIndex { $0.id == state.id } ?? 0
        let step = { (index: Int) -> StateDetailModel.Step? in
            guard all.indices.contains(index) else { return nil }
            return .init(
                stepName: "\(all[index].screen.id), \(all[index].title)",
                href: link(all[index], options))
        }
        return (
            "\(currentIndex + 1) of \(all.count)", step(currentIndex - 1), step(currentIndex + 1)
        )
    }

    private func link(_ state: StoryboardState, _ options: DisplayOptions) -> String {
        Links.url(Links.storyboardState(state.id), options.queryItems)
    }

    private func link(_ change: (inout DisplayOptions) -> Void) -> String {
        var changed = options
        change(&changed)
        return link(state, changed)
    }

    // MARK: Controls

    private var sizeChoices: [BoardModel.Choice] {
        [
            .init(
                id: "all", name: "All sizes", href: link { $0.size = nil },
                current: options.size == nil)
        ]
            + DeviceSizes.all.sorted { $0.width < $1.width }.map { size in
                .init(
                    id: size.id, name: size.shortLabel, href: link { $0.size = size.id },
                    current: options.size == size.id)
            }
    }

    private var appearanceChoices: BoardModel.AppearanceChoices? {
        guard app.appearance == .system else { return nil }
        return .init(
            appearances: DisplayOptions.AppearanceChoice.allCases.map { appearance in
                .init(
                    id: appearance.rawValue, name: appearance.rawValue.capitalizedFirst,
                    href: link { $0.appearance = appearance },
                    current: options.appearance == appearance)
            })
    }

    /// The offered text sizes with their labels.
    static let textSizes: [(Device.Display.TextSize, String)] = [
        (.default, "Aa"), (.extraLarge, "Aa large"), (.accessibilityLarge, "Aa largest"),
    ]

    private var textSizeChoices: [BoardModel.Choice] {
        Self.textSizes.map { size, name in
            .init(
                id: size.rawValue, name: name, href: link { $0.textSize = size },
                current: options.textSize == size)
        }
    }

    // MARK: Phones

    private var makePhones: [StateDetailModel.Phone] {
        let sizes = options.size.flatMap(DeviceSizes.size).map { [$0] } ?? DeviceSizes.all
        return shownAppearances.flatMap { appearance in sizes.map { makePhone($0, appearance) } }
    }

    private var shownAppearances: [Device.Display.Appearance] {
        guard app.appearance == .system else { return [.system] }
        return switch options.appearance {
        case .both: [.light, .dark]
        case .light: [.light]
        case .dark: [.dark]
        }
    }

    private func makePhone(_ size: DeviceSizes.Size, _ appearance: Device.Display.Appearance)
        -> StateDetailModel.Phone
    {
        let name = "\(size.label), \(size.width) × \(size.height)"
        return StateDetailModel.Phone(
            sizeClass: "phone-\(size.id)",
            statusBarStyle: app.resolvedAppearance(for: appearance).statusBarClass,
            caption: appearance == .system ? name : "\(name), \(appearance.rawValue)",
            accessibilityLabel: "\(screen.id) on \(size.label)"
                + (appearance == .system ? "" : ", \(appearance.rawValue)"),
            frameURL: Links.tile(
                state.id, size: size.id,
                appearance: appearance == .system ? nil : appearance.rawValue,
                text: options.textSize == .default ? nil : options.textSize.rawValue))
    }
}
