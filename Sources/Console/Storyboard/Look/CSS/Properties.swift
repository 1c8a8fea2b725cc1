/// The custom properties of a page, and what a value comes to with them in
/// one appearance.
struct Properties: Sendable {
    /// By name, as written.
    var values: [String: String]
    var isDark: Bool

    /// `var()` of `var()` goes no deeper; a circle ends here.
    private static let deepest = 12

    /// `value` with `var(--x)` and `light-dark(a, b)` filled in; nil where a
    /// property is missing, or goes round in a circle.
    func resolved(_ value: String) -> String? {
        resolved(value, depth: 0)?.trimmed
    }

    /// What the property `name` comes to.
    subscript(name: String) -> String? { values[name].flatMap(resolved) }

    private func resolved(_ value: String, depth: Int) -> String? {
        guard depth <= Self.deepest else { return nil }
        var out = ""
        var at = value.startIndex
        while let open = value[at...].firstIndex(of: "(") {
            let before = value[at..<open]
            let name = before.reversed().prefix(while: CSSText.isNamePart)
                .reversed().reduce(into: "") { $0.append($1) }
            guard let close = CSSText.closing(of: open, in: value) else {
                return nil
            }
            let inside = String(value[value.index(after: open)..<close])
            out += before.dropLast(name.count)
            switch name.lowercased() {
            case "var":
                guard let filled = filled(inside, depth) else { return nil }
                out += filled
            case "light-dark":
                let choices = CSSText.arguments(inside)
                guard choices.count == 2,
                    let chosen = resolved(
                        choices[isDark ? 1 : 0], depth: depth + 1)
                else { return nil }
                out += chosen
            default:
                guard let inner = resolved(inside, depth: depth + 1) else {
                    return nil
                }
                out += "\(name)(\(inner))"
            }
            at = value.index(after: close)
        }
        return out + value[at...]
    }

    /// `--name` or `--name, what stands in for it`.
    private func filled(_ inside: String, _ depth: Int) -> String? {
        let parts = inside.split(
            separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0]).trimmed
        if let value = values[name],
            let resolved = resolved(value, depth: depth + 1)
        {
            return resolved
        }
        return parts.count > 1
            ? resolved(String(parts[1]), depth: depth + 1) : nil
    }
}
