extension Action {
    /// When a call that succeeded is not made again.
    package struct Resume: Sendable, Equatable {
        /// As long as these fields keep their values.
        package var fields: [String]
        /// What is made in its place where such a field has another value,
        /// by field: an account made before is given another password.
        package var changed: [String: String]

        package init(fields: [String], changed: [String: String] = [:]) {
            self.fields = fields
            self.changed = changed
        }

        /// What of `values` decides.
        package func deciding(_ values: [String: String]) -> [String: String] {
            values.filter { fields.contains($0.key) || changed[$0.key] != nil }
        }

        /// The calls to make in its place, made with `before`; nil if it must
        /// be made again.
        package func instead(before: [String: String], now: [String: String]) -> [String]? {
            guard fields.allSatisfy({ before[$0] == now[$0] }) else { return nil }
            let names = changed.filter { before[$0.key] != now[$0.key] }
            return Set(names.values).sorted()
        }
    }
}
