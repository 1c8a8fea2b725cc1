/// A list's search form and filter menus: links and a GET form, without a script.
///
/// The segments are in the page's own `segments`, because they are a live part.
struct FiltersModel: Encodable, Sendable {
    /// `sessions` or `traffic`; test ids begin with it.
    var filterID: String
    /// The URL the search is sent to, by GET, as `q`.
    var action: String
    /// The current search text, empty for none.
    var query: String
    var searchLabel: String
    /// `user, device, claim`.
    var placeholder: String
    /// The other active filters, so that a search preserves them.
    var hiddenFields: [HiddenField]
    /// Event kinds that may change a segment's count.
    var segmentEventKinds: String
    /// The page's `partURL`.
    var filterPartURL: String
    var menus: [Menu]
    /// The active filters, for the single menu on narrow screens: `All`.
    var summary: String

    /// An additional on/off filter; nil for none.
    var toggle: Toggle? = nil

    struct Toggle: Encodable, Sendable {
        /// A test id.
        var toggleID: String
        var toggleName: String
        var toggleURL: String
        var isOn: Bool
        /// How many items it matches; nil for none.
        var toggleCount: String?
    }

    struct HiddenField: Encodable, Sendable {
        var hiddenName: String
        var hiddenValue: String
    }

    struct Menu: Encodable, Sendable {
        /// `app`, `backend`, `call`, `cause`.
        var menuID: String
        /// `App`.
        var menuName: String
        /// `all`.
        var chosenName: String
        var options: [Option]
    }

    struct Option: Encodable, Sendable {
        var id: String
        var name: String
        var href: String
        var current: Bool
    }

    struct Segment: Encodable, Sendable {
        /// The full test id: `sessions.state.active`.
        var segmentID: String
        var name: String
        /// `946`.
        var segmentCount: String
        var href: String
        var current: Bool
    }
}
