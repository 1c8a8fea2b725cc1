import Apps

extension Edge {
    /// Whether the state map shows it: what goes wrong at any time would lie
    /// over everything else.
    var isDrawn: Bool {
        switch kind {
        case .launch, .submit, .action, .link, .tab: true
        case .failure, .sessionLost: false
        }
    }
}
