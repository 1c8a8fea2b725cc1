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
    /// The beginning of the app menu's test ids, if it is not `id`.
    var switchID: String?

    static let board = Self(
        id: "board", name: "Screens", path: Links.storyboard, switchID: "storyboard")
    static let map = Self(id: "map", name: "Map", path: Links.transitionMap)
    static let tokens = Self(
        id: "tokens", name: "Design tokens", path: Links.designTokens, switchID: "design")
    static let copy = Self(id: "copy", name: "Text", path: Links.copy)
    static let accessibility = Self(
        id: "accessibility", name: "Accessibility", path: Links.accessibility, switchID: "audit")

    static let compare = Self(
        id: "compare", name: "Compare", path: Links.comparePictures, switchID: "compare")

    static let all = [board, map, tokens, copy, accessibility, compare]
}

extension Page {
    /// A page of an app's storyboard; `otherURL` makes the URL of the same page of another app.
    init(
        _ tab: StoryboardTab, of app: App, _ services: Services, url: String,
        script: String? = nil, otherURL: ((String) -> String)? = nil, _ content: TemplateModel
    ) {
        let title = app.name + (tab.id == "board" ? " storyboard" : ", \(tab.name.lowercased())")
        let frame: TemplateModel = [
            "appSwitch": services.appSwitch(
                tab.switchID ?? tab.id, title, on: app, page: otherURL ?? { tab.path($0) }),
            "tabs": StoryboardTab.all.map {
                LinkModel(id: $0.id, name: $0.name, href: $0.path(app.id), current: $0.id == tab.id)
            },
        ]
        self.init(
            title: title, navItem: "storyboard", url: url, script: script,
            model: content.merging(frame))
    }
}

extension App {
    /// A frame that shows a screen in its default state.
    func previewFrame(of screen: String, appearance: String? = nil) -> TemplateModel {
        let state = StateID(app: id, screen: screen)
        let frameName = [screen, appearance].compactMap(\.self).joined(separator: ", ")
        return [
            "sizeID": DeviceSizes.all[0].id, "skeleton": GlyphModel(self),
            "frameName": frameName, "frameTitle": "\(name), \(frameName)",
            "src": Links.previewTile(state, appearance: appearance),
            "href": Links.statePage(state),
        ]
    }
}

extension Links {
    /// A state at the most common phone size.
    static func previewTile(_ state: StateID, appearance: String? = nil) -> String {
        tile(state, [("size", DeviceSizes.all[0].id), ("appearance", appearance)])
    }
}
