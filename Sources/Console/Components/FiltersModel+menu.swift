extension FiltersModel.Menu {
    /// "All" and then `values`; `link` makes the address that chooses one,
    /// nil for all. A chosen value that is not among them is named as it is.
    init(
        _ id: String, _ name: String, of values: [(id: String, name: String)], chosen: String?,
        link: (String?) -> String
    ) {
        let known = values.first { $0.id == chosen }?.name
        self.init(
            menuID: id, menuName: name,
            chosenName: chosen == nil ? "all" : known ?? chosen ?? "all",
            options: [.init(id: "all", name: "All", href: link(nil), current: chosen == nil)]
                + values.map {
                    .init(id: $0.id, name: $0.name, href: link($0.id), current: $0.id == chosen)
                })
    }
}
