extension Action {
    /// When a call that succeeded is not made again.
    package struct ResumeRule: Sendable, Equatable {
        /// As long as these fields keep their values.
        package var unchangedFields: [String]
        /// What is made in its place where such a field has another value,
        /// by field: an account made before is given another password.
        package var callsOnChange: [String: String]

        package init(unchangedFields: [String], callsOnChange: [String: String] = [:]) {
            self.unchangedFields = unchangedFields
            self.callsOnChange = callsOnChange
        }

        /// What of `values` decides.
        package func decidingValues(_ values: [String: String]) -> [String: String] {
            values.filter { unchangedFields.contains($0.key) || callsOnChange[$0.key] != nil }
        }

        /// The calls to make in its place, made with `before`; nil if it must
        /// be made again.
        package func replacementCalls(before: [String: String], now: [String: String]) -> [String]?
        {
            guard unchangedFields.allSatisfy({ before[$0] == now[$0] }) else { return nil }
            let names = callsOnChange.filter { before[$0.key] != now[$0.key] }
            return Set(names.values).sorted()
        }
    }
}
