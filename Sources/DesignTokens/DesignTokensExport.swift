package import Web

/// An app's design tokens in formats for other tools.
///
/// The CSS repeats the values of the sheet. The JSON follows the Design Tokens Format Module
/// 2025.10 of the W3C's Design Tokens Community Group and its Color Module: one group for each
/// appearance of the app (`light`, `dark`) and in it one for each kind, whose `$type` its tokens
/// inherit. Two groups, not an extension, because every tool reads groups. Values for which the
/// module has no type (angles, sums, lengths other than px and rem) are in the group's
/// `$extensions` under `foyer.css`, so that none is lost.
package struct DesignTokensExport {
    let appName: String
    let appearances: [Appearance]
    let tokens: [DesignToken]
    private let properties: [CustomProperties]

    /// `appearances` are those of the app.
    package init(_ tokens: DesignTokenSet, appName: String, appearances: [Appearance]) {
        self.appName = appName
        self.appearances = appearances
        self.tokens = tokens.tokens
        properties = appearances.map(tokens.properties)
    }

    // MARK: CSS

    package var css: String {
        let count = Format.count(tokens.count, "design token")
        var text = """
            /* \(appName.replacing("*/", with: "")): \(count). */
            :root {
              color-scheme: \(appearances.map(\.rawValue).joined(separator: " "));

            """
        for token in tokens { text += "  \(token.name): \(token.value);\n" }
        text += "}\n"
        let darkValues = tokens.compactMap { token in
            token.darkValue.map { "    \(token.name): \($0);\n" }
        }
        if !darkValues.isEmpty {
            text += "\n@media (prefers-color-scheme: dark) {\n  :root {\n"
            text += darkValues.joined() + "  }\n}\n"
        }
        for token in tokens {
            for variant in token.variants where variant.condition.hasPrefix("@") {
                text +=
                    "\n\(variant.condition) {\n  :root { \(token.name): \(variant.value); }\n}\n"
            }
        }
        return text
    }

    // MARK: JSON

    package var json: JSON {
        .object(
            [.init("$description", .string("\(appName), design tokens"))]
                + properties.map { .init($0.appearance.rawValue, makeGroup($0)) })
    }

    /// The module's types, in the order of their groups.
    private enum GroupType: String, CaseIterable {
        case color, dimension, fontFamily, number, gradient, shadow
    }

    private func makeGroup(_ properties: CustomProperties) -> JSON {
        var groups: [GroupType: [JSON.Member]] = [:]
        var others: [JSON.Member] = []
        for token in tokens {
            let value = TokenValue(properties[token.name] ?? token.value)
            if let (type, json) = Self.typedJSON(value) {
                groups[type, default: []].append(
                    .init(
                        String(token.name.dropFirst(2)),
                        .object([.init("$value", json)] + Self.extensionMembers(value))))
            } else {
                others.append(.init(token.name, .string(token.value.whitespaceCollapsed)))
            }
        }
        var members = GroupType.allCases.compactMap { type in
            groups[type].map {
                JSON.Member(type.rawValue, .object([.init("$type", .string(type.rawValue))] + $0))
            }
        }
        if !others.isEmpty { members.append(.init("$extensions", ["foyer.css": .object(others)])) }
        return .object(members)
    }

    /// The module's type for the value and its encoding; nil if there is none.
    private static func typedJSON(_ value: TokenValue) -> (GroupType, JSON)? {
        switch value {
        case .color(let color): (.color, json(color))
        case .length(let number, let unit) where ["px", "rem"].contains(unit):
            (.dimension, dimension(number, unit))
        case .number(let number): (.number, .double(number))
        case .fonts(let families): (.fontFamily, .array(families.map(JSON.string)))
        case .gradient(let gradient): (.gradient, .array(gradient.stops.map(json)))
        case .shadow(let shadows): (.shadow, .array(shadows.map(json)))
        case .length, .other: nil
        }
    }

    private static func json(_ color: Color) -> JSON {
        var members: [JSON.Member] = [
            .init("colorSpace", "srgb"),
            .init("components", .array([color.red, color.green, color.blue].map(rounded))),
        ]
        if color.alpha < 1 { members.append(.init("alpha", rounded(color.alpha))) }
        return .object(members + [.init("hex", .string(color.hex))])
    }

    private static func json(_ shadow: TokenValue.Shadow) -> JSON {
        let names = ["offsetX", "offsetY", "blur", "spread"]
        var members: [JSON.Member] = [.init("color", json(shadow.color))]
        members += zip(names, shadow.lengths).map { .init($0, dimension($1, "px")) }
        if shadow.inset { members.append(.init("inset", true)) }
        return .object(members)
    }

    private static func json(_ stop: TokenValue.Stop) -> JSON {
        ["color": json(stop.color), "position": rounded(min(1, max(0, stop.position)))]
    }

    private static func dimension(_ number: Double, _ unit: String) -> JSON {
        ["value": .double(number), "unit": .string(unit)]
    }

    /// The shape and direction of a gradient, which the module cannot express.
    private static func extensionMembers(_ value: TokenValue) -> [JSON.Member] {
        guard case .gradient(let gradient) = value else { return [] }
        let text = [gradient.shape, gradient.direction].compactMap(\.self).joined(separator: " ")
        return [.init("$extensions", ["foyer.direction": .string(text)])]
    }

    private static func rounded(_ value: Double) -> JSON {
        .double((value * 10_000).rounded() / 10_000)
    }
}
