import Apps
import Simulator
import Storyboards
import Web

/// The query of a storyboard page's URL: filters and display options. Its links change single
/// values.
struct StoryboardQuery: Sendable {
    /// The page's path.
    let path: String
    private let parameters: [Parameter]
    /// The values in the URL, without those that are the default.
    private(set) var values: [String: String] = [:]

    struct Parameter: Sendable {
        var name: String
        /// The valid values; nil for any.
        var choices: [String]?
        /// The value without the parameter; links omit it.
        var defaultValue: String?
    }

    /// Throws a `Problem` that names an invalid value and its choices.
    init(_ path: String, _ parameters: [Parameter], _ query: [String: String]) throws(Problem) {
        self.path = path
        self.parameters = parameters
        for parameter in parameters {
            let name = parameter.name
            guard let value = query[name]?.nonEmpty else { continue }
            if let choices = parameter.choices {
                _ = try Form.choice(value, named: name, of: choices)
            }
            if value != parameter.defaultValue { values[name] = value }
        }
    }

    /// The value of a parameter, or its default.
    subscript(name: String) -> String? {
        values[name] ?? parameters.first { $0.name == name }?.defaultValue
    }

    /// This page with changed values; nil is the default.
    func link(_ changes: [String: String?] = [:], path: String? = nil) -> String {
        Links.url(
            path ?? self.path,
            parameters.map { parameter in
                let value = changes[parameter.name] ?? values[parameter.name]
                return (parameter.name, value == parameter.defaultValue ? nil : value)
            })
    }

    /// Links that choose a parameter's value; `none` is the choice of no value.
    func menu(
        _ parameter: String, _ name: String, none: (id: String, name: String)? = ("all", "All"),
        of values: [(id: String, name: String)], count: ((String) -> Int)? = nil
    ) -> ChoiceMenuModel {
        ChoiceMenuModel(
            parameter, name, none: none, of: values, chosen: self[parameter], count: count
        ) { link([parameter: $0]) }
    }
}

// MARK: Display options

extension StoryboardQuery.Parameter {
    static let size = Self(
        name: "size", choices: DeviceSizes.all.map(\.id), defaultValue: DeviceSizes.all[0].id)
    static let textSize = Self(
        name: "text", choices: Device.Display.TextSize.allCases.map(\.rawValue),
        defaultValue: Device.Display.TextSize.default.rawValue)

    /// The first of the choices is the default.
    static func appearance(_ choices: [String]) -> Self {
        Self(name: "appearance", choices: choices, defaultValue: choices[0])
    }
}

extension [StoryboardQuery.Parameter] {
    /// How a single screen is displayed.
    static let display = [
        .size, .appearance(Device.Display.Appearance.allCases.map(\.rawValue)),
        StoryboardQuery.Parameter.textSize,
    ]
}

extension StoryboardQuery {
    var display: Device.Display {
        Device.Display(
            size: self["size"] ?? DeviceSizes.all[0].id, appearance: appearance,
            textSize: self["text"].flatMap(Device.Display.TextSize.init) ?? .default)
    }

    typealias Phone = (size: DeviceSizes.Size, appearance: Device.Display.Appearance)

    /// The phones of a tile: one, or two that differ.
    func phones(for app: App) -> [Phone] {
        func phone(_ size: String?, _ appearance: String?) -> Phone {
            (
                size.flatMap(DeviceSizes.size) ?? DeviceSizes.all[0],
                app.appearance != .system
                    ? .system : appearance.flatMap(Device.Display.Appearance.init) ?? .system
            )
        }
        let first = phone(self["size"], self["appearance"])
        let second = phone(
            self["besideSize"] ?? self["size"], self["besideAppearance"] ?? self["appearance"])
        return first.size.id == second.size.id && first.appearance == second.appearance
            ? [first] : [first, second]
    }

    /// What distinguishes a phone from the other, `iPad, dark`; nil for a single one.
    func name(of phone: Phone, among phones: [Phone]) -> String? {
        guard let first = phones.first, let last = phones.last, phones.count > 1 else { return nil }
        let size = phone.size.shortLabel ?? phone.size.label
        if first.appearance == last.appearance { return size }
        return first.size.id == last.size.id
            ? phone.appearance.rawValue.capitalizedFirst : "\(size), \(phone.appearance.rawValue)"
    }

    var size: DeviceSizes.Size? { self["size"].flatMap(DeviceSizes.size) }
    var appearance: Device.Display.Appearance {
        self["appearance"].flatMap(Device.Display.Appearance.init) ?? .system
    }

    /// The display options in the URL of a state or an export of `app`; without the appearance if
    /// the app has a fixed one.
    func displayItems(for app: App) -> [(String, String?)] {
        [
            ("size", self["size"]),
            ("appearance", app.appearance == .system ? self["appearance"] : nil),
            ("text", values["text"]),
        ]
    }

    /// The narrowest size first.
    func sizeMenu(
        _ parameter: String = "size", _ name: String = "Size",
        none: (id: String, name: String)? = nil
    ) -> ChoiceMenuModel {
        let sizes = DeviceSizes.all.sorted { $0.width < $1.width }.map {
            ($0.id, $0.shortLabel ?? $0.label)
        }
        return menu(parameter, name, none: none, of: sizes)
    }

    /// Nil if all `apps` have a fixed appearance.
    func appearanceMenu(
        _ parameter: String = "appearance", _ name: String = "Appearance",
        none: (id: String, name: String)? = nil, for apps: [App]
    ) -> ChoiceMenuModel? {
        guard apps.contains(where: { $0.appearance == .system }) else { return nil }
        let choices = parameters.first { $0.name == parameter }?.choices ?? []
        return menu(
            parameter, name, none: none, of: choices.map { ($0, $0.capitalizedFirst) })
    }

    var textSizeMenu: ChoiceMenuModel {
        let sizes: [(Device.Display.TextSize, String)] = [
            (.default, "Aa"), (.extraLarge, "Aa large"), (.accessibilityLarge, "Aa largest"),
        ]
        return menu("text", "Text size", none: nil, of: sizes.map { ($0.rawValue, $1) })
    }
}

// MARK: The board

extension StoryboardQuery {
    static let boardParameterNames = boardParameters("").map(\.name)

    /// In percent: the steps of the zoom buttons, and the range a mouse wheel or a URL may use.
    static let zoomSteps = [12, 24, 50, 100]
    private static let zoomRange = 1...100

    private static func boardParameters(_ app: String) -> [Parameter] {
        [
            // An app is not compared with itself.
            Parameter(name: "compare", defaultValue: app), Parameter(name: "screen"),
            Parameter(name: "kind", choices: StateKind.allCases.map(\.rawValue)), .size,
            .appearance(Device.Display.Appearance.allCases.map(\.rawValue)),
            // Of a second phone beside each.
            Parameter(name: "besideSize", choices: DeviceSizes.all.map(\.id)),
            Parameter(
                name: "besideAppearance",
                choices: Device.Display.Appearance.allCases.map(\.rawValue)),
            Parameter(name: "zoom", defaultValue: "24"),
            // The selected state and its app.
            Parameter(name: "of", defaultValue: app), Parameter(name: "at"),
        ]
    }

    static func board(_ app: App, _ query: [String: String] = [:]) throws(Problem)
        -> StoryboardQuery
    {
        var board = try StoryboardQuery(Links.storyboard(app.id), boardParameters(app.id), query)
        guard zoomRange.contains(board.zoom) else {
            throw .unknownChoice(
                "zoom", "\(zoomRange.lowerBound) to \(zoomRange.upperBound) percent")
        }
        if board.values["zoom"] != nil { board.values["zoom"] = String(board.zoom) }
        if let name = board["at"] {
            guard board.selectedState != nil else { throw .unknownState(name) }
        } else {
            board.values["of"] = nil
        }
        return board
    }

    var zoom: Int { self["zoom"].flatMap { Int($0) } ?? 0 }

    var selectedState: StateID? {
        let parts = (self["at"] ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return StateID(app: self["of"] ?? "", screen: String(parts[0]), state: String(parts[1]))
    }

    func link(
        selecting state: StateID?, changing changes: [String: String?] = [:], path: String? = nil
    ) -> String {
        let selection = ["of": state?.app, "at": state.map { "\($0.screen)/\($0.state)" }]
        return link(changes.merging(selection) { $1 }, path: path)
    }
}

extension Problem {
    static func unknownState(_ name: String) -> Problem {
        unknown("state", "No screen of this app has the state \(name.prefix(80)).")
    }
}
