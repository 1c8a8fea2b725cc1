import Apps

extension Edge {
    /// Whether the state map shows it: what goes wrong at any time would lie
    /// over everything else.
    var isOnScreenGraph: Bool {
        switch kind {
        case .launch, .submit, .action, .link, .tab: true
        case .failure, .sessionExpired: false
        }
    }
}
