import Apps
import Simulator
import Storyboards

/// One state on its own, at several sizes (`storyboard/state`).
struct StateDetailModel: Encodable, Sendable {
    let appName: String
    /// The board with this state selected.
    let boardURL: String
    /// `login, Loading`.
    let stateTitle: String
    /// `7 of 52`.
    let positionText: String
    /// The neighboring states in board order; nil at the ends.
    let previous: TextLinkModel?
    let following: TextLinkModel?
    /// Sizes, appearance unless the app has a fixed one, text size.
    let menus: [ChoiceMenuModel]
    /// POST: plays this state again.
    let replayAction: String
    /// This page, as the return target of forms.
    let pageURL: String
    let phones: [PhoneModel]
    let panel: StatePanelModel
}

extension StateDetailModel {
    /// The display options, which previous and next keep.
    static let parameters = [
        StoryboardQuery.Parameter(name: "size", choices: DeviceSizes.all.map(\.id)),
        .appearance(["both", "light", "dark"]), .textSize,
    ]

    init(
        _ state: StoryboardState, _ result: PlaybackResult, _ query: StoryboardQuery,
        origin: String
    ) {
        let app = state.app
        let board = StoryboardQuery.board(app)
        let states = app.storyboardStates
        let index = states.firstIndex { $0.id == state.id } ?? 0
        let link = { (index: Int) -> TextLinkModel? in
            guard states.indices.contains(index) else { return nil }
            return TextLinkModel(
                name: states[index].fullTitle,
                href: query.link(path: Links.statePage(states[index].id)))
        }
        appName = app.name
        boardURL = board.link(selecting: state.id)
        stateTitle = state.fullTitle
        positionText = "\(index + 1) of \(states.count)"
        previous = link(index - 1)
        following = link(index + 1)
        menus = [
            query.sizeMenu("Sizes", none: ("all", "All sizes")),
            query.appearanceMenu(for: [app]), query.textSizeMenu,
        ].compactMap(\.self)
        replayAction = Links.replayState(app.id, state.screen.id, state.name)
        pageURL = query.link()
        let appearances: [Device.Display.Appearance] =
            app.appearance != .system
            ? [.system] : query["appearance"] == "both" ? [.light, .dark] : [query.appearance]
        phones = appearances.flatMap { appearance in
            (query.size.map { [$0] } ?? DeviceSizes.all).map { size in
                PhoneModel(state, size, appearance, textSize: query.values["text"])
            }
        }
        panel = StatePanelModel(state, result.recording, result.status, board, origin: origin)
    }
}

/// A phone that shows a screen in a frame.
struct PhoneModel: Encodable, Sendable {
    var sizeID: String
    /// A CSS class for the status bar: `on-dark`.
    var statusBarStyle: String
    var src: String
    /// `Atlas on iPhone 15`.
    var frameTitle: String
    /// `iPhone 15, 390 × 844`.
    var caption: String

    init(
        _ size: DeviceSizes.Size, _ app: App, _ appearance: Device.Display.Appearance,
        name: String, src: String
    ) {
        sizeID = size.id
        statusBarStyle = app.resolvedAppearance(for: appearance).statusBarClass
        self.src = src
        frameTitle = "\(name) on \(size.label)"
        caption = "\(size.label), \(size.width) × \(size.height)"
    }
}

extension PhoneModel {
    /// A state; its texts name the appearance if the app has several.
    fileprivate init(
        _ state: StoryboardState, _ size: DeviceSizes.Size,
        _ appearance: Device.Display.Appearance, textSize: String?
    ) {
        let name = appearance == .system ? nil : appearance.rawValue
        self.init(
            size, state.app, appearance, name: state.screen.id,
            src: Links.tile(
                state.id, [("size", size.id), ("appearance", name), ("text", textSize)]))
        guard let name else { return }
        frameTitle += ", \(name)"
        caption += ", \(name)"
    }
}
