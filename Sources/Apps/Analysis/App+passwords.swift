extension App {
    /// The names of the app's password fields; their values are never stored.
    package var passwordFields: Set<String> {
        Set(screens.flatMap(\.fields).filter { $0.type == .password }.map(\.name))
    }
}
