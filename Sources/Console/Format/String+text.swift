extension String {
    /// Nil where nothing stands: what a form or a query leaves empty was not
    /// given.
    var nonEmpty: String? { isEmpty ? nil : self }

    /// Its beginning, where it is longer than `most` characters.
    func truncated(to most: Int) -> String { count > most ? prefix(most - 1) + "…" : self }
}
