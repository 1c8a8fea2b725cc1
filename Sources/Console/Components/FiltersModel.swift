/// A list's search and its menus: links and a GET form, no script needed.
///
/// The segments stand beside it in the page's own `segments`, because they
/// are a live part.
struct FiltersModel: Encodable, Sendable {
    /// `sessions` or `traffic`; test ids begin with it.
    var filterID: String
    /// Where the search is sent, by GET, as `q`.
    var action: String
    /// What is searched for now, empty for nothing.
    var query: String
    var searchLabel: String
    /// `user, device, claim`.
    var placeholder: String
    /// The other filters in force, so that a search keeps them.
    var hiddenFields: [HiddenField]
    /// Event kinds that may change a segment's count.
    var segmentEventKinds: String
    /// As the page's `partURL`.
    var filterPartURL: String
    var menus: [Menu]
    /// What is in force, for the one menu of a phone: `All`.
    var summary: String

    /// A further filter that is on or off; nil for none.
    var toggle: Toggle? = nil

    struct Toggle: Encodable, Sendable {
        /// A test id.
        var toggleID: String
        var toggleName: String
        var toggleURL: String
        var isOn: Bool
        /// How many it leaves; nil for none.
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
        /// The whole test id: `sessions.state.active`.
        var segmentID: String
        var name: String
        /// `946`.
        var segmentCount: String
        var href: String
        var current: Bool
    }
}
