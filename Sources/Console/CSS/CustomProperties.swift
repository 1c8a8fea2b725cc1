import Web

/// The custom properties of a page, and the resolution of values in one appearance.
struct CustomProperties: Sendable {
    /// By name, as written.
    var values: [String: String]
    var isDark: Bool

    /// The limit on nested `var()`; it also ends cycles.
    private static let depthLimit = 12
    /// A property that names another twice doubles the length at each step.
    private static let lengthLimit = 10_000
    private static let stepLimit = 1_000

    /// Replaces `var(--x)` and `light-dark(a, b)` in `value`; nil if a property is missing or
    /// cyclic.
    func resolve(_ value: String) -> String? {
        var steps = 0
        return resolve(value, 0, &steps)?.whitespaceCollapsed
    }

    /// The resolved value of the property `name`.
    subscript(name: String) -> String? { values[name].flatMap(resolve) }

    private func resolve(_ value: String, _ depth: Int, _ steps: inout Int) -> String? {
        steps += 1
        guard depth <= Self.depthLimit, steps <= Self.stepLimit,
            value.utf8.count <= Self.lengthLimit
        else { return nil }
        var output = ""
        var position = value.startIndex
        while let open = value[position...].firstIndex(of: "(") {
            let preceding = value[position..<open]
            let name = preceding.reversed().prefix(while: CSSValueText.isNamePart).reversed()
                .reduce(
                    into: ""
                ) { $0.append($1) }
            guard let close = CSSValueText.closingBracket(of: open, in: value) else { return nil }
            let inside = String(value[value.index(after: open)..<close])
            output += preceding.dropLast(name.count)
            switch name.lowercased() {
            case "var":
                guard let resolved = resolveVariable(inside, depth, &steps) else { return nil }
                output += resolved
            case "light-dark":
                let choices = CSSValueText.arguments(inside)
                guard choices.count == 2,
                    let resolved = resolve(choices[isDark ? 1 : 0], depth + 1, &steps)
                else { return nil }
                output += resolved
            default:
                guard let resolved = resolve(inside, depth + 1, &steps) else { return nil }
                output += "\(name)(\(resolved))"
            }
            guard output.utf8.count <= Self.lengthLimit else { return nil }
            position = value.index(after: close)
        }
        return output + value[position...]
    }

    /// `inside` is `--name` or `--name, fallback`.
    private func resolveVariable(_ inside: String, _ depth: Int, _ steps: inout Int) -> String? {
        let parts = inside.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0]).whitespaceCollapsed
        if let value = values[name], let resolved = resolve(value, depth + 1, &steps) {
            return resolved
        }
        return parts.count > 1 ? resolve(String(parts[1]), depth + 1, &steps) : nil
    }
}
