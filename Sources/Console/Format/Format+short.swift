extension Format {
    /// A text of at most so many characters, shortened in the middle.
    static func truncatedMiddle(_ text: String, _ most: Int) -> String {
        guard text.count > most, most > 2 else { return text }
        let half = (most - 1) / 2
        return "\(text.prefix(most - 1 - half))…\(text.suffix(half))"
    }

    /// A name as part of a test id: one word of letters, digits, `_`, `.`, `-`.
    static func testID(_ name: String) -> String {
        String(
            name.map { $0.isASCII && ($0.isLetter || $0.isNumber) || "_.-".contains($0) ? $0 : "-" }
        )
    }

    /// An identifier shortened in the middle: `8c1e…40f2`.
    static func shortID(_ id: String) -> String {
        let rest = id.firstIndex(of: "_").map { id[id.index(after: $0)...] } ?? id[...]
        return rest.count <= 9 ? String(rest) : "\(rest.prefix(4))…\(rest.suffix(4))"
    }
}
