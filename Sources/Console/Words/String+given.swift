extension String {
    /// Nil where nothing stands: what a form or a query leaves empty was not
    /// given.
    var given: String? { isEmpty ? nil : self }
}
