/// Texts of fields and labels.
extension String {
    /// Nil if empty: an empty field of a form or query counts as absent.
    package var nonEmpty: String? { isEmpty ? nil : self }

    /// The beginning, if longer than `limit` characters.
    package func truncated(to limit: Int) -> String {
        count > limit ? prefix(limit - 1) + "…" : self
    }

    /// `debug` as `Debug`.
    package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// With every run of white space replaced by one space, and trimmed.
    package var whitespaceCollapsed: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
