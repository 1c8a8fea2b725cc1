/// One check of a refused request, as it is told outside of the backend.
package struct CheckMade: Sendable, Equatable {
    /// For programs: `expiry`, `password` …
    package let name: String
    /// For a person.
    package let title: String
    package let state: State
    /// What was seen, in words; empty where there is nothing to add.
    package let evidence: String

    package enum State: String, Sendable { case passed, failed, notReached }

    init(_ check: Check, _ state: State, _ evidence: String) {
        name = check.rawValue
        title = check.title
        self.state = state
        self.evidence = String(evidence.prefix(Self.longest))
    }

    private static let longest = 300
}
