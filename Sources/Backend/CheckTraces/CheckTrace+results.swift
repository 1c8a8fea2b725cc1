extension CheckTrace {
    /// All checks in order, including the failed one. `errorMessage` is the response's message,
    /// used for failures without recorded evidence.
    func results(errorMessage: String) -> [CheckResult] {
        let state = currentState
        let entriesByCheck = Dictionary(
            state.entries.map { ($0.check, $0) }, uniquingKeysWith: { $1 })
        let failed = Self.failedCheck(state)
        var order = Self.orderedChecks(state)
        let last = order.lastIndex { entriesByCheck[$0]?.hasPassed == true } ?? -1
        if let failedIndex = order.firstIndex(of: failed) {
            // Checks recorded as passed were made before the failed one.
            if last > failedIndex {
                order.remove(at: failedIndex)
                order.insert(failed, at: last)
            }
        } else {
            // An unplanned check: it was made after all those recorded.
            order.insert(failed, at: last + 1)
        }
        let failedPosition = order.firstIndex(of: failed) ?? order.count
        return order.enumerated().map { index, check in
            if index > failedPosition { return CheckResult(check, .skipped, "") }
            let entry = entriesByCheck[check]
            if index < failedPosition {
                return CheckResult(check, .passed, entry?.evidence() ?? "")
            }
            let evidence = entry?.hasPassed == false ? entry?.evidence() : check.failureDescription
            return CheckResult(
                check, .failed,
                (evidence ?? errorMessage) + Self.rateLimitSuffix(of: check, state.entries))
        }
    }

    private static func failedCheck(_ state: State) -> RequestCheck {
        let failed = Set(state.entries.filter { !$0.hasPassed }.map(\.check))
        return state.failureCandidates.first { failed.contains($0) } ?? state.failureCandidates.last
            ?? state.entries.last { !$0.hasPassed }?.check  // Some pages reject without throwing.
            ?? (state.entries.contains { $0.check == .route } ? .fields : .route)
    }

    /// The planned checks, with unplanned ones inserted where they were recorded.
    private static func orderedChecks(_ state: State) -> [RequestCheck] {
        var order = state.plannedChecks
        var insertionIndex = 0
        for entry in state.entries {
            if let index = order.firstIndex(of: entry.check) {
                insertionIndex = index + 1
            } else if entry.hasPassed || state.failureCandidates.contains(entry.check) {
                order.insert(entry.check, at: min(insertionIndex, order.count))
                insertionIndex += 1
            }
        }
        return order
    }

    /// The rate limit's count of wrong attempts, if this failure added to it.
    private static func rateLimitSuffix(of check: RequestCheck, _ entries: [Entry]) -> String {
        guard check == .password || check == .account,
            let failureIndex = entries.firstIndex(where: { $0.check == check }),
            let limit = entries[failureIndex...].first(where: { $0.check == .rateLimit }),
            limit.hasPassed
        else { return "" }
        let evidence = limit.evidence()
        return evidence.isEmpty ? "" : ", \(evidence)"
    }
}

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
        case skipped
    }

    init(_ check: RequestCheck, _ state: State, _ evidence: String) {
        name = check.rawValue
        title = check.title
        self.state = state
        self.evidence = String(evidence.prefix(Self.maxEvidenceLength))
    }

    private static let maxEvidenceLength = 300
}
