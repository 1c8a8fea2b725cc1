import Web

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
    var menus: [ChoiceMenuModel]
    /// The active filters, for the single menu on narrow screens: `All`.
    var summary: String

    /// The filter for sessions that are out of sync; nil in other lists.
    var toggle: Toggle? = nil

    struct Toggle: Encodable, Sendable {
        var toggleURL: String
        var isOn: Bool
        /// How many items it matches; nil for none.
        var toggleCount: String?
    }

    struct HiddenField: Encodable, Sendable {
        var hiddenName: String
        var hiddenValue: String
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

extension FiltersModel {
    init(
        _ listing: ListQuery, search: String, placeholder: String, menus: [ChoiceMenuModel],
        summary: String?, toggle: Toggle? = nil
    ) {
        self.init(
            filterID: String(listing.path.dropFirst()), action: listing.path,
            query: listing.queryParameters["q"] ?? "", searchLabel: search,
            placeholder: placeholder,
            hiddenFields: listing.filterItems.compactMap { name, value in
                name == "q" ? nil : value.map { HiddenField(hiddenName: name, hiddenValue: $0) }
            }, menus: menus, summary: summary?.capitalizedFirst ?? "All", toggle: toggle)
    }
}

/// An option of a select list (`parts/options`).
struct ChoiceModel: Encodable, Sendable {
    var value: String
    var label: String
    var chosen: Bool
}
