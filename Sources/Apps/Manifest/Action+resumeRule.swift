extension Action {
    /// When a call that already succeeded is not repeated.
    package struct ResumeRule: Sendable, Equatable {
        /// The call is skipped while these fields keep their values.
        package var unchangedFields: [String]
        /// Calls made instead when a field has changed, by field: an account created before gets
        /// another password.
        package var callsOnChange: [String: String]

        package init(unchangedFields: [String], callsOnChange: [String: String] = [:]) {
            self.unchangedFields = unchangedFields
            self.callsOnChange = callsOnChange
        }

        /// The part of `values` that the rule depends on.
        package func decidingValues(_ values: [String: String]) -> [String: String] {
            values.filter { unchangedFields.contains($0.key) || callsOnChange[$0.key] != nil }
        }

        /// The calls to make instead of the one made with `before`; nil if it must be repeated.
        package func replacementCalls(before: [String: String], now: [String: String]) -> [String]?
        {
            guard unchangedFields.allSatisfy({ before[$0] == now[$0] }) else { return nil }
            let names = callsOnChange.filter { before[$0.key] != now[$0.key] }
            return Set(names.values).sorted()
        }
    }
}
