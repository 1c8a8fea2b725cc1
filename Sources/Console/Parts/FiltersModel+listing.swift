extension FiltersModel {
    /// The filters of a list; `kinds` are the events that may change a
    /// segment's count.
    init(
        _ listing: Listing, search: String, placeholder: String, kinds: String, menus: [Menu],
        summary: String?, toggle: Toggle? = nil
    ) {
        self.init(
            filterID: String(listing.path.dropFirst()), action: listing.path,
            query: listing.asked["q"] ?? "", searchLabel: search, placeholder: placeholder,
            kept: listing.items.compactMap { name, value in
                name == "q" ? nil : value.map { Kept(keptName: name, keptValue: $0) }
            }, segmentKinds: kinds, filterURL: listing.partURL, menus: menus,
            summary: summary?.capitalizedFirst ?? "All", toggle: toggle)
    }
}
