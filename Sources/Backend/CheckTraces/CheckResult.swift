/// One check of a rejected request, as reported outside the backend.
package struct CheckResult: Sendable, Equatable {
    /// A stable name for the API: `expiry`, `password` …
    package let name: String
    /// Display text.
    package let title: String
    package let state: State
    /// What was found, as display text; empty if there is nothing to add.
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
