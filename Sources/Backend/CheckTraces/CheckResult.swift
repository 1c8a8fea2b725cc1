/// One check of a refused request, as it is told outside of the backend.
package struct CheckResult: Sendable, Equatable {
    /// For programs: `expiry`, `password` …
    package let name: String
    /// For a person.
    package let title: String
    package let state: State
    /// What was seen, in words; empty where there is nothing to add.
    package let evidence: String

    package enum State: String, Sendable {
        case passed, failed
        case skipped = "notReached"
    }

    init(_ check: RequestCheck, _ state: State, _ evidence: String) {
        name = check.rawValue
        title = check.title
        self.state = state
        self.evidence = String(evidence.prefix(Self.maxEvidenceLength))
    }

    private static let maxEvidenceLength = 300
}
