import Web

/// An appearance of a screen.
package enum Appearance: String, Sendable, CaseIterable { case light, dark }

/// The custom properties of a page, and the resolution of values in one appearance.
package struct CustomProperties: Sendable {
    /// By name, as written.
    var values: [String: String]
    package let appearance: Appearance

    /// The limit on nested `var()`; it also ends cycles.
    private static let depthLimit = 12
    /// A property that names another twice doubles the length at each step.
    private static let lengthLimit = 10_000
    private static let stepLimit = 1_000

    /// The resolved value of the property `name`.
    package subscript(name: String) -> String? { values[name].flatMap(resolve) }

    /// Replaces `var(--x)` and `light-dark(a, b)` in `value`; nil if a property is missing or
    /// cyclic.
    func resolve(_ value: String) -> String? {
        var steps = 0
        return resolve(value, 0, &steps)?.whitespaceCollapsed
    }

    /// The color that `value` resolves to; nil if it is none.
    package func color(_ value: String) -> Color? { resolve(value).flatMap(Color.init) }

    private func resolve(_ value: String, _ depth: Int, _ steps: inout Int) -> String? {
        steps += 1
        guard depth <= Self.depthLimit, steps <= Self.stepLimit,
            value.utf8.count <= Self.lengthLimit
        else { return nil }
        var output = ""
        var rest = value[...]
        while let open = rest.firstIndex(of: "(") {
            let before = rest[..<open]
            let nameStart = before.lastIndex { !CSSText.isNamePart($0) }.map(before.index(after:))
            let name = before[(nameStart ?? before.startIndex)...]
            guard let close = CSSText.closingBracket(of: open, in: value) else { return nil }
            let inside = String(value[value.index(after: open)..<close])
            guard let resolved = resolveFunction(name, inside, depth + 1, &steps) else {
                return nil
            }
            output += before[..<name.startIndex] + resolved
            guard output.utf8.count <= Self.lengthLimit else { return nil }
            rest = value[value.index(after: close)...]
        }
        return output + rest
    }

    private func resolveFunction(
        _ name: Substring, _ inside: String, _ depth: Int, _ steps: inout Int
    ) -> String? {
        switch name.lowercased() {
        case "var":
            // `--name` or `--name, fallback`.
            let parts = inside.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
            let value = values[String(parts[0]).whitespaceCollapsed]
            if let value, let resolved = resolve(value, depth, &steps) { return resolved }
            return parts.count > 1 ? resolve(String(parts[1]), depth, &steps) : nil
        case "light-dark":
            let choices = CSSText.arguments(inside)
            guard choices.count == 2 else { return nil }
            return resolve(choices[appearance == .dark ? 1 : 0], depth, &steps)
        default: return resolve(inside, depth, &steps).map { "\(name)(\($0))" }
        }
    }
}
