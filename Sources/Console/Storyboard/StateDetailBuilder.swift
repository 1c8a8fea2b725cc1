import Apps
import Simulator
import Storyboards
import Web

/// Builds the model of the page of one state.
struct StateDetailBuilder {
    let page: StoryboardPage
    let state: StoryboardState
    let recording: StateRecording
    let options: DisplayOptions

    /// The display options, carried in the URL so that previous and next keep them.
    struct DisplayOptions: Sendable {
        /// Nil means all sizes.
        var size: DeviceSizes.Size?
        var appearance: AppearanceChoice = .both
        var textSize = Device.Display.TextSize.default

        enum AppearanceChoice: String, Sendable, CaseIterable { case both, light, dark }

        static let parameterNames = ["size", "appearance", "text"]

        init(query: [String: String]) throws(Problem) {
            size = try query.sizeChoice()
            appearance = try query.choice("appearance") ?? .both
            textSize = try query.choice("text") ?? .default
        }

        fileprivate var queryItems: [(String, String?)] {
            [
                ("size", size?.id), ("appearance", appearance == .both ? nil : appearance.rawValue),
                ("text", textSize.queryValue),
            ]
        }
    }

    private var app: App { state.app }
    private var screen: Screen { state.screen }

    func build() async throws -> Page<StateDetailModel> {
        let (position, previous, following) = neighbors
        var boardQuery = BoardQuery(app: app.id)
        boardQuery.selected = state.id
        let title = "\(screen.id), \(state.title)"
        return page.makePage(
            title, url: Links.storyboardState(state.id),
            StateDetailModel(
                appName: app.name, glyph: GlyphModel(app), boardURL: boardQuery.link,
                stateTitle: title, positionText: position, previous: previous, following: following,
                sizeChoices: [
                    .init(
                        id: "all", name: "All sizes", href: link { $0.size = nil },
                        current: options.size == nil)
                ] + .sizes(chosen: options.size?.id) { size in link { $0.size = size } },
                appearanceChoices: app.appearance == .system
                    ? .init(DisplayOptions.AppearanceChoice.allCases, chosen: options.appearance) {
                        chosen in link { $0.appearance = chosen }
                    } : nil,
                textSizes: .textSizes(chosen: options.textSize) { size in
                    link { $0.textSize = size }
                }, replayAction: Links.replayState(state.id), pageURL: link(state, options),
                phones: phones,
                panel: StatePanelBuilder(
                    state: state, query: boardQuery, recording: recording,
                    renderStatus: page.services.renderStatus(of: recording), origin: page.origin
                ).build()))
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

    // MARK: Phones

    private var phones: [StateDetailModel.Phone] {
        let sizes = options.size.map { [$0] } ?? DeviceSizes.all
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
                text: options.textSize.queryValue))
    }
}

/// One state on its own, at several sizes (`storyboard/state`).
struct StateDetailModel: Encodable, Sendable {
    var appName: String
    var glyph: GlyphModel
    /// The board with this state selected.
    var boardURL: String
    /// `login, Loading`.
    var stateTitle: String
    /// `7 of 52`.
    var positionText: String
    /// The neighboring states in board order; nil at the ends.
    var previous: Step?
    var following: Step?
    var sizeChoices: [ChoiceLinkModel]
    /// Nil if the app has a fixed appearance.
    var appearanceChoices: AppearanceChoicesModel?
    var textSizes: [ChoiceLinkModel]
    /// POST: plays this state again.
    var replayAction: String
    /// This page, as the return target of forms.
    var pageURL: String
    var phones: [Phone]
    var panel: StatePanelModel

    struct Step: Encodable, Sendable {
        /// `login, Field error: email`.
        var stepName: String
        var href: String
    }

    struct Phone: Encodable, Sendable {
        /// `phone-ipad`.
        var sizeClass: String
        /// A CSS class for the status bar: `on-dark`.
        var statusBarStyle: String
        /// `iPad, 820 × 1180`, with the appearance if there are two.
        var caption: String
        var accessibilityLabel: String
        var frameURL: String
    }
}
