/// A way from one page of an app's storyboard to another
/// (`storyboard/ways`, over `ways` of a page's model).
struct WayModel: Encodable, Sendable {
    /// `sheet`, `flow`, `look`, `copy`, `accessibility`.
    var wayID: String
    var wayName: String
    var href: String
    var current: Bool

    /// The pages of an app's storyboard, in order.
    enum Page: String, CaseIterable {
        case sheet, flow, look, copy, accessibility

        func address(of app: String) -> String {
            switch self {
            case .sheet: Links.storyboard(app)
            case .flow: Links.flow(app)
            case .look: Links.look(app)
            case .copy: Links.copy(app)
            case .accessibility: Links.accessibility(app)
            }
        }
    }

    /// All of them, for a page that is `current`.
    static func all(of app: String, current: Page?) -> [WayModel] {
        Page.allCases.map {
            WayModel(
                wayID: $0.rawValue, wayName: $0.rawValue.capitalizedFirst,
                href: $0.address(of: app), current: $0 == current)
        }
    }
}
