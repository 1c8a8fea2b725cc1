extension Screen {
    /// The first error of each field that breaks a rule, by field name.
    ///
    /// `action` decides which fields are checked.
    package func check(
        _ values: [String: String], for action: Action
    ) -> [String: String] {
        preconditionFailure("not built yet")
    }
}
