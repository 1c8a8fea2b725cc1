/// The custom properties of a page, and what a value comes to with them in
/// one appearance.
struct CustomProperties: Sendable {
    /// By name, as written.
    var values: [String: String]
    var isDark: Bool

    /// `var()` of `var()` goes no deeper; a circle ends here.
    private static let depthLimit = 12
    /// A property that names another twice doubles at each step.
    private static let lengthLimit = 10_000
    private static let stepLimit = 1_000

    /// `value` with `var(--x)` and `light-dark(a, b)` filled in; nil where a
    /// property is missing, or goes round in a circle.
    func resolve(_ value: String) -> String? {
        var steps = 0
        return resolve(value, 0, &steps)?.whitespaceCollapsed
    }

    /// What the property `name` comes to.
    subscript(name: String) -> String? { values[name].flatMap(resolve) }

    private func resolve(_ value: String, _ depth: Int, _ steps: inout Int) -> String? {
        steps += 1
        guard depth <= Self.depthLimit, steps <= Self.stepLimit,
            value.utf8.count <= Self.lengthLimit
        else { return nil }
        var out = ""
        var at = value.startIndex
        while let open = value[at...].firstIndex(of: "(") {
            let before = value[at..<open]
            let name = before.reversed().prefix(while: CSSValueText.isNamePart).reversed().reduce(
                into: ""
            ) { $0.append($1) }
            guard let close = CSSValueText.closingBracket(of: open, in: value) else { return nil }
            let inside = String(value[value.index(after: open)..<close])
            out += before.dropLast(name.count)
            switch name.lowercased() {
            case "var":
                guard let filled = resolveVariable(inside, depth, &steps) else { return nil }
                out += filled
            case "light-dark":
                let choices = CSSValueText.arguments(inside)
                guard choices.count == 2,
                    let chosen = resolve(choices[isDark ? 1 : 0], depth + 1, &steps)
                else { return nil }
                out += chosen
            default:
                guard let inner = resolve(inside, depth + 1, &steps) else { return nil }
                out += "\(name)(\(inner))"
            }
            guard out.utf8.count <= Self.lengthLimit else { return nil }
            at = value.index(after: close)
        }
        return out + value[at...]
    }

    /// `--name` or `--name, what stands in for it`.
    private func resolveVariable(_ inside: String, _ depth: Int, _ steps: inout Int) -> String? {
        let parts = inside.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0]).whitespaceCollapsed
        if let value = values[name], let resolved = resolve(value, depth + 1, &steps) {
            return resolved
        }
        return parts.count > 1 ? resolve(String(parts[1]), depth + 1, &steps) : nil
    }
}
