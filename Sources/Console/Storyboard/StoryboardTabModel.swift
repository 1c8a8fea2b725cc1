/// A link from one page of an app's storyboard to another (`storyboard/tabs`).
struct StoryboardTabModel: Encodable, Sendable {
    /// `board`, `map`, `tokens`, `copy`, `accessibility`.
    var tabID: String
    var tabName: String
    var href: String
    var current: Bool

    /// The pages of an app's storyboard, in order.
    enum Page: String, CaseIterable {
        case board, map, tokens, copy, accessibility

        var title: String {
            switch self {
            case .board: "Screens"
            case .map: "Map"
            case .tokens: "Design tokens"
            case .copy: "Text"
            case .accessibility: "Accessibility"
            }
        }

        func url(of app: String) -> String {
            switch self {
            case .board: Links.storyboard(app)
            case .map: Links.transitionMap(app)
            case .tokens: Links.designTokens(app)
            case .copy: Links.copy(app)
            case .accessibility: Links.accessibility(app)
            }
        }
    }

    /// The tabs of all pages; marks `current`.
    static func all(of app: String, current: Page?) -> [StoryboardTabModel] {
        Page.allCases.map {
            StoryboardTabModel(
                tabID: $0.rawValue, tabName: $0.title,
                href: $0.url(of: app), current: $0 == current)
        }
    }
}
