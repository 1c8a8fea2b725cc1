extension Screen {
    /// Whether a password is chosen here: a password field has a minimum length and is not marked
    /// `current-password`.
    package var asksForNewPassword: Bool {
        fields.contains { field in
            field.type == .password && field.autocomplete != "current-password"
                && rules(of: field).contains { rule in
                    if case .min = rule.test { true } else { false }
                }
        }
    }
}
