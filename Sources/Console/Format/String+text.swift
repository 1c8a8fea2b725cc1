extension String {
    /// Nil if empty: an empty field of a form or query counts as absent.
    var nonEmpty: String? { isEmpty ? nil : self }

    /// The beginning, if longer than `limit` characters.
    func truncated(to limit: Int) -> String { count > limit ? prefix(limit - 1) + "…" : self }
}
