import Apps
import Web

/// An app's design tokens in formats for other tools.
///
/// The CSS repeats the values of the sheet. The JSON follows the Design Tokens Format Module
/// 2025.10 of the W3C's Design Tokens Community Group and its Color Module: one group for each
/// appearance of the app (`light`, `dark`) and in it one for each kind, whose `$type` its tokens
/// inherit. Two groups, not an extension, because every tool reads groups. Values for which the
/// module has no type (angles, sums, lengths other than px and rem) are in the group's
/// `$extensions` under `foyer.css`, so that none is lost.
struct DesignTokensExport {
    let app: App
    let tokens: DesignTokens

    // MARK: CSS

    var css: String {
        let scheme = app.appearance == .system ? "light dark" : app.appearance.rawValue
        var lines = [
            "/* \(app.name.replacing("*/", with: "")): "
                + "\(Format.count(tokens.tokens.count, "design token")). */", ":root {",
            "  color-scheme: \(scheme);",
        ]
        lines += tokens.tokens.map { "  \($0.name): \($0.value);" }
        lines.append("}")
        let darkTokens = tokens.tokens.filter { $0.darkValue != nil }
        if !darkTokens.isEmpty {
            lines += ["", "@media (prefers-color-scheme: dark) {", "  :root {"]
            lines += darkTokens.map { "    \($0.name): \($0.darkValue ?? "");" }
            lines += ["  }", "}"]
        }
        for token in tokens.tokens {
            for variant in token.variants where variant.condition.hasPrefix("@") {
                lines += [
                    "", "\(variant.condition) {", "  :root { \(token.name): \(variant.value); }",
                    "}",
                ]
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: JSON

    var json: JSON {
        let appearances: [(String, isDark: Bool)] =
            switch app.appearance {
            case .system: [("light", false), ("dark", true)]
            case .light: [("light", false)]
            case .dark: [("dark", true)]
            }
        return .object(
            [.init("$description", .string("\(app.name), design tokens"))]
                + appearances.map { .init($0, makeGroup(tokens.properties(isDark: $1))) })
    }

    private func makeGroup(_ properties: CustomProperties) -> JSON {
        var groups: [(type: String, members: [JSON.Member])] = [
            ("color", []), ("dimension", []), ("fontFamily", []), ("number", []), ("gradient", []),
            ("shadow", []),
        ]
        var others: [JSON.Member] = []
        for token in tokens.tokens {
            let resolved = properties[token.name]
            let value = TokenValue(resolved ?? token.value)
            guard let (type, json) = Self.typedJSON(value),
                let index = groups.firstIndex(where: { $0.type == type })
            else {
                others.append(.init(token.name, .string(token.value.whitespaceCollapsed)))
                continue
            }
            groups[index].members.append(
                .init(
                    String(token.name.dropFirst(2)),
                    .object([.init("$value", json)] + Self.extensionMembers(value))))
        }
        var members = groups.filter { !$0.members.isEmpty }.map {
            JSON.Member($0.type, .object([.init("$type", .string($0.type))] + $0.members))
        }
        if !others.isEmpty {
            members.append(.init("$extensions", .object([.init("foyer.css", .object(others))])))
        }
        return .object(members)
    }

    /// The module's type for the value and its encoding; nil if there is none.
    private static func typedJSON(_ value: TokenValue) -> (type: String, json: JSON)? {
        switch value {
        case .color(let color): ("color", json(color))
        case .length(let number, let unit) where ["px", "rem"].contains(unit):
            ("dimension", dimension(number, unit))
        case .number(let number): ("number", .double(number))
        case .fonts(let families): ("fontFamily", .array(families.map(JSON.string)))
        case .gradient(let gradient):
            (
                "gradient",
                .array(
                    gradient.stops.map {
                        .object([
                            .init("color", json($0.color)),
                            .init("position", .double(rounded(min(1, max(0, $0.position))))),
                        ])
                    })
            )
        case .shadow(let shadows): ("shadow", .array(shadows.map(json)))
        case .length, .other: nil
        }
    }

    private static func json(_ color: Color) -> JSON {
        var members: [JSON.Member] = [
            .init("colorSpace", "srgb"),
            .init(
                "components",
                .array([color.red, color.green, color.blue].map { .double(rounded($0)) })),
        ]
        if color.alpha < 1 { members.append(.init("alpha", .double(rounded(color.alpha)))) }
        return .object(members + [.init("hex", .string(color.hex))])
    }

    private static func json(_ shadow: TokenValue.Shadow) -> JSON {
        let names = ["offsetX", "offsetY", "blur", "spread"]
        var members: [JSON.Member] = [.init("color", json(shadow.color))]
        members += zip(names, shadow.lengths).map { .init($0, dimension($1, "px")) }
        if shadow.inset { members.append(.init("inset", .bool(true))) }
        return .object(members)
    }

    private static func dimension(_ number: Double, _ unit: String) -> JSON {
        .object([.init("value", .double(number)), .init("unit", .string(unit))])
    }

    /// The shape and direction of a gradient, which the module cannot express.
    private static func extensionMembers(_ value: TokenValue) -> [JSON.Member] {
        guard case .gradient(let gradient) = value else { return [] }
        let text = [gradient.shape, gradient.direction].compactMap(\.self).joined(separator: " ")
        return [.init("$extensions", .object([.init("foyer.direction", .string(text))]))]
    }

    private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
