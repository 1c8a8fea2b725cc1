import Apps

extension Edge {
    /// Whether the screen graph shows the edge. Failures, which can happen on any screen, would
    /// clutter it.
    var isOnScreenGraph: Bool {
        switch kind {
        case .launch, .submit, .action, .link, .tab: true
        case .failure, .sessionExpired: false
        }
    }
}
