import Simulator
import Web

/// A link that chooses one of several values.
struct ChoiceLinkModel: Encodable, Sendable {
    /// The end of its test id.
    var id: String
    var name: String
    /// Empty for a choice without a count.
    var count = ""
    var href: String
    var current: Bool
}

extension [ChoiceLinkModel] {
    /// Links to a page for each size, the narrowest first.
    static func sizes(chosen: String?, link: (DeviceSizes.Size) -> String) -> [ChoiceLinkModel] {
        DeviceSizes.all.sorted { $0.width < $1.width }.map {
            .init(id: $0.id, name: $0.shortLabel, href: link($0), current: $0.id == chosen)
        }
    }

    static func textSizes(
        chosen: Device.Display.TextSize, link: (Device.Display.TextSize) -> String
    ) -> [ChoiceLinkModel] {
        let offered: [(Device.Display.TextSize, String)] = [
            (.default, "Aa"), (.extraLarge, "Aa large"), (.accessibilityLarge, "Aa largest"),
        ]
        return offered.map { size, name in
            .init(id: size.rawValue, name: name, href: link(size), current: size == chosen)
        }
    }
}

/// The choice between light and dark, absent for an app with a fixed appearance.
struct AppearanceChoicesModel: Encodable, Sendable {
    var appearances: [ChoiceLinkModel]

    init<Appearance: RawRepresentable & Equatable>(
        _ all: [Appearance], chosen: Appearance, link: (Appearance) -> String
    ) where Appearance.RawValue == String {
        appearances = all.map {
            .init(
                id: $0.rawValue, name: $0.rawValue.capitalizedFirst, href: link($0),
                current: $0 == chosen)
        }
    }
}

/// A menu of links that chooses one value, or none.
struct ChoiceMenuModel: Encodable, Sendable {
    var menuID: String
    var menuName: String
    var chosenName: String
    var options: [ChoiceLinkModel]

    typealias Value = (id: String, name: String, count: Int?)

    /// `none` names the choice of no value; `link` makes the URL that chooses a value.
    init(
        _ id: String, _ name: String, none: String = "All", of values: [Value], chosen: String?,
        link: (String?) -> String
    ) {
        menuID = id
        menuName = name
        chosenName = values.first { $0.id == chosen }?.name ?? chosen ?? none
        options =
            [.init(id: none.lowercased(), name: none, href: link(nil), current: chosen == nil)]
            + values.map {
                .init(
                    id: $0.id, name: $0.name, count: $0.count.map(String.init) ?? "",
                    href: link($0.id), current: $0.id == chosen)
            }
    }
}

/// The query of a page's URL; its links change single values.
protocol PageQuery {
    /// The page's path.
    var path: String { get }
    /// Without default values.
    var queryItems: [(String, String?)] { get }
}

extension PageQuery {
    var link: String { Links.url(path, queryItems) }

    var pageURL: String { Links.url(path, queryItems) }

    func link(_ change: (inout Self) -> Void) -> String {
        var changed = self
        change(&changed)
        return changed.link
    }
}

extension Device.Display.TextSize {
    /// The value in a URL; nil for the default.
    var queryValue: String? { self == .default ? nil : rawValue }
}

extension [String: String] {
    /// The choice made by a parameter of a query; nil for none. Throws a `Problem` that lists the
    /// choices for any other value.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of choices: [Choice] = Array(Choice.allCases)
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        try Form.choice(self[name], named: name, of: choices.map(\.rawValue)).flatMap(Choice.init)
    }

    func sizeChoice() throws(Problem) -> DeviceSizes.Size? {
        try Form.choice(self["size"], named: "size", of: DeviceSizes.all.map(\.id))
            .flatMap(DeviceSizes.size)
    }
}
