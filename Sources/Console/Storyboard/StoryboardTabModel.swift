/// A link from one page of an app's storyboard to another (`storyboard/tabs`).
struct StoryboardTabModel: Encodable, Sendable {
    /// `board`, `map`, `tokens`, `copy`, `accessibility`.
    var tabID: String
    var tabName: String
    var href: String
    var current: Bool

    enum Page: String { case board, map, tokens, copy, accessibility }

    /// The tabs of all pages, in order; marks `current`.
    static func all(of app: String, current: Page?) -> [StoryboardTabModel] {
        let pages: [(Page, String, String)] = [
            (.board, "Screens", Links.storyboard(app)), (.map, "Map", Links.transitionMap(app)),
            (.tokens, "Design tokens", Links.designTokens(app)), (.copy, "Text", Links.copy(app)),
            (.accessibility, "Accessibility", Links.accessibility(app)),
        ]
        return pages.map { page, name, url in
            StoryboardTabModel(
                tabID: page.rawValue, tabName: name, href: url, current: page == current)
        }
    }
}
