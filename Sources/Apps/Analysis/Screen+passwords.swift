extension Screen {
    /// Where a password has a rule about its length, one is being chosen;
    /// unless the field says itself that it is an old one.
    package var asksForNewPassword: Bool {
        fields.contains { field in
            field.type == .password && field.autocomplete != "current-password"
                && rules(of: field).contains { rule in
                    if case .min = rule.test { true } else { false }
                }
        }
    }
}
