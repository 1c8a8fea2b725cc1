extension Format {
    /// A text of at most `limit` characters, shortened in the middle.
    static func truncatedMiddle(_ text: String, _ limit: Int) -> String {
        guard text.count > limit, limit > 2 else { return text }
        let half = (limit - 1) / 2
        return "\(text.prefix(limit - 1 - half))…\(text.suffix(half))"
    }

    /// A name as part of a test id: only letters, digits, `_`, `.` and `-`.
    static func testID(_ name: String) -> String {
        String(
            name.map { $0.isASCII && ($0.isLetter || $0.isNumber) || "_.-".contains($0) ? $0 : "-" }
        )
    }

    /// An identifier shortened in the middle: `8c1e…40f2`.
    static func shortID(_ id: String) -> String {
        let body = id.firstIndex(of: "_").map { id[id.index(after: $0)...] } ?? id[...]
        return body.count <= 9 ? String(body) : "\(body.prefix(4))…\(body.suffix(4))"
    }
}
