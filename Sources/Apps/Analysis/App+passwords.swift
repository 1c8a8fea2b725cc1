extension App {
    /// The names of its fields that hide what is typed: what they hold is
    /// never kept.
    package var passwordFields: Set<String> {
        Set(screens.flatMap(\.fields).filter { $0.type == .password }.map(\.name))
    }
}
