extension FiltersModel.Menu {
    /// "All", followed by `values`. `link` makes the URL that selects a value, nil for all. A
    /// selected value that is not among them is shown as it is.
    init(
        _ id: String, _ name: String, of values: [(id: String, name: String)], chosen: String?,
        link: (String?) -> String
    ) {
        let matchedName = values.first { $0.id == chosen }?.name
        self.init(
            menuID: id, menuName: name,
            chosenName: chosen == nil ? "all" : matchedName ?? chosen ?? "all",
            options: [.init(id: "all", name: "All", href: link(nil), current: chosen == nil)]
                + values.map {
                    .init(id: $0.id, name: $0.name, href: link($0.id), current: $0.id == chosen)
                })
    }
}
