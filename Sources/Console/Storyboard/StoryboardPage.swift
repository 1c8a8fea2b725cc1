import Apps
import Storyboards
import Templates

/// What a page of an app's storyboard is built from.
struct StoryboardPage {
    let services: Services
    let stateCache: StateCache
    let app: App
    let query: [String: String]
    /// `http://127.0.0.1:7070`.
    let origin: String

    /// The cached recordings of an app with their current render status.
    func playbackResults(of app: App) -> [StateID: PlaybackResult] {
        let hasTemplateErrors = !services.templates.errors().isEmpty
        return stateCache.cachedRecordings(of: app).mapValues {
            ($0, services.renderStatus(of: $0, rendersAgain: hasTemplateErrors))
        }
    }
}

/// A played state with its current render status.
typealias PlaybackResult = (recording: StateRecording, status: RenderStatus)

/// A page of an app's storyboard with a tab.
struct StoryboardTab: Sendable {
    let id: String
    let name: String
    let path: PagePath
    /// The beginning of the app menu's test ids.
    let switchID: String

    private init(_ id: String, _ name: String, _ path: PagePath, switchID: String? = nil) {
        self.id = id
        self.name = name
        self.path = path
        self.switchID = switchID ?? id
    }

    static let board = Self("board", "Screens", Links.storyboard, switchID: "storyboard")
    static let map = Self("map", "Map", Links.transitionMap)
    static let tokens = Self("tokens", "Design tokens", Links.designTokens, switchID: "design")
    static let copy = Self("copy", "Text", Links.copy)
    static let accessibility = Self(
        "accessibility", "Accessibility", Links.accessibility, switchID: "audit")

    static let all = [board, map, tokens, copy, accessibility]
}

extension Page {
    /// A page of an app's storyboard; `otherURL` makes the URL of the same page of another app.
    init<Content>(
        _ tab: StoryboardTab, of app: App, _ services: Services, url: String,
        script: String? = nil, otherURL: ((String) -> String)? = nil, _ content: Content
    ) where Model == StoryboardPageModel<Content> {
        let title = app.name + (tab.id == "board" ? " storyboard" : ", \(tab.name.lowercased())")
        self.init(
            title, navItem: "storyboard", url: url, script: script,
            StoryboardPageModel(
                content: content,
                appSwitch: AppSwitchModel(
                    tab.switchID, title, on: app, services, page: otherURL ?? { tab.path($0) }),
                tabs: StoryboardTab.all.map {
                    .init(id: $0.id, name: $0.name, href: $0.path(app.id), current: $0.id == tab.id)
                }))
    }
}

/// The content of a tab's page, with what all of them have.
struct StoryboardPageModel<Content: Encodable & Sendable>: Encodable, Sendable {
    let content: Content
    let appSwitch: AppSwitchModel
    /// Links to the pages (`storyboard/tabs`).
    let tabs: [LinkModel]

    private enum CodingKeys: CodingKey { case appSwitch, tabs }

    func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(appSwitch, forKey: .appSwitch)
        try container.encode(tabs, forKey: .tabs)
    }
}

/// A frame that shows a screen in its default state, at the most common phone size.
struct PreviewFrameModel: Encodable, Sendable {
    var frameTitle: String
    var frameName: String
    var src: String
    var href: String

    init(_ app: App, _ screen: String, appearance: String? = nil) {
        let state = StateID(app: app.id, screen: screen)
        frameName = [screen, appearance].compactMap(\.self).joined(separator: ", ")
        frameTitle = "\(app.name), \(frameName)"
        src = Self.url(of: state, appearance: appearance)
        href = Links.statePage(state)
    }

    static func url(of state: StateID, appearance: String? = nil) -> String {
        Links.tile(state, [("size", DeviceSizes.all[0].id), ("appearance", appearance)])
    }
}
