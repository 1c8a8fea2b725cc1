import Apps
import Simulator
import Storyboards

/// Builds the model of the page of one state.
struct StateDetailBuilder {
    let page: StoryboardPage
    let query: StoryboardQuery
    let state: StoryboardState
    let recording: StateRecording

    /// The display options, which previous and next keep.
    static let parameters = [
        StoryboardQuery.Parameter(name: "size", choices: DeviceSizes.all.map(\.id)),
        .appearance(["both", "light", "dark"]), .textSize,
    ]

    private var app: App { state.app }

    func build() -> Page<StateDetailModel> {
        let board = StoryboardQuery.board(app)
        let states = app.storyboardStates
        let index = states.firstIndex { $0.id == state.id } ?? 0
        let step = { (index: Int) -> LinkModel? in
            guard states.indices.contains(index) else { return nil }
            return .init(
                name: states[index].fullTitle,
                href: query.link(path: Links.statePage(states[index].id)))
        }
        return Page(
            state.fullTitle, navItem: "storyboard", url: query.path,
            StateDetailModel(
                appName: app.name,
                boardURL: board.link(selecting: state.id), stateTitle: state.fullTitle,
                positionText: "\(index + 1) of \(states.count)", previous: step(index - 1),
                following: step(index + 1),
                menus: [
                    query.sizeMenu("Sizes", none: ("all", "All sizes")),
                    query.appearanceMenu(for: [app]), query.textSizeMenu,
                ].compactMap(\.self),
                replayAction: Links.replayState(app.id, state.screen.id, state.name),
                pageURL: query.link(), phones: phones,
                panel: StatePanelModel(
                    state, recording, page.services.renderStatus(of: recording), board,
                    origin: page.origin)))
    }

    // MARK: Phones

    private var phones: [PhoneModel] {
        let sizes = query.size.map { [$0] } ?? DeviceSizes.all
        let appearances: [Device.Display.Appearance] =
            app.appearance != .system
            ? [.system] : query["appearance"] == "both" ? [.light, .dark] : [query.appearance]
        return appearances.flatMap { appearance in sizes.map { makePhone($0, appearance) } }
    }

    private func makePhone(_ size: DeviceSizes.Size, _ appearance: Device.Display.Appearance)
        -> PhoneModel
    {
        let name = appearance == .system ? nil : appearance.rawValue
        let suffix = name.map { ", \($0)" } ?? ""
        var phone = PhoneModel(
            size, app, appearance, name: state.screen.id,
            src: Links.tile(
                state.id,
                [("size", size.id), ("appearance", name), ("text", query.values["text"])]))
        phone.frameTitle += suffix
        phone.caption += suffix
        return phone
    }
}

/// One state on its own, at several sizes (`storyboard/state`).
struct StateDetailModel: Encodable, Sendable {
    var appName: String
    /// The board with this state selected.
    var boardURL: String
    /// `login, Loading`.
    var stateTitle: String
    /// `7 of 52`.
    var positionText: String
    /// The neighboring states in board order; nil at the ends.
    var previous: LinkModel?
    var following: LinkModel?
    /// Sizes, appearance unless the app has a fixed one, text size.
    var menus: [ChoiceMenuModel]
    /// POST: plays this state again.
    var replayAction: String
    /// This page, as the return target of forms.
    var pageURL: String
    var phones: [PhoneModel]
    var panel: StatePanelModel
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
