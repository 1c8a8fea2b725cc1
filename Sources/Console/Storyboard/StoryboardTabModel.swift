/// A link from one page of an app's storyboard to another (`storyboard/ways`).
struct StoryboardTabModel: Encodable, Sendable {
    /// `sheet`, `flow`, `look`, `copy`, `accessibility`.
    var tabID: String
    var tabName: String
    var href: String
    var current: Bool

    /// The pages of an app's storyboard, in order.
    enum Page: String, CaseIterable {
        case board = "sheet"
        case map = "flow"
        case tokens = "look"
        case copy, accessibility

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
                tabID: $0.rawValue, tabName: $0.rawValue.capitalizedFirst,
                href: $0.url(of: app), current: $0 == current)
        }
    }
}
