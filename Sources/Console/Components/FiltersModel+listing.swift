extension FiltersModel {
    /// Builds a list's filters; `eventKinds` are the events that may change a segment's count.
    init(
        _ listing: ListQuery, search: String, placeholder: String, eventKinds: String,
        menus: [Menu],
        summary: String?, toggle: Toggle? = nil
    ) {
        self.init(
            filterID: String(listing.path.dropFirst()), action: listing.path,
            query: listing.queryParameters["q"] ?? "", searchLabel: search,
            placeholder: placeholder,
            hiddenFields: listing.filterItems.compactMap { name, value in
                name == "q" ? nil : value.map { HiddenField(hiddenName: name, hiddenValue: $0) }
            }, segmentEventKinds: eventKinds, filterPartURL: listing.partURL, menus: menus,
            summary: summary?.capitalizedFirst ?? "All", toggle: toggle)
    }
}
