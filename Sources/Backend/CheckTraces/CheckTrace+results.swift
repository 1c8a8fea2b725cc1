extension CheckTrace {
    /// Every check in order, with the one that failed; `said` is what the
    /// refusal's answer says, for failures nobody noted.
    func results(errorMessage: String) -> [CheckResult] {
        let kept = currentState
        let seen = Dictionary(kept.entries.map { ($0.check, $0) }, uniquingKeysWith: { $1 })
        let failed = Self.failedCheck(kept)
        var order = Self.orderedChecks(kept)
        let last = order.lastIndex { seen[$0]?.hasPassed == true } ?? -1
        if let at = order.firstIndex(of: failed) {
            // What was looked at after all was looked at before it.
            if last > at {
                order.remove(at: at)
                order.insert(failed, at: last)
            }
        } else {
            // Nobody foresaw it: it came after all that is known to be made.
            order.insert(failed, at: last + 1)
        }
        let place = order.firstIndex(of: failed) ?? order.count
        return order.enumerated().map { index, check in
            if index > place { return CheckResult(check, .skipped, "") }
            let note = seen[check]
            if index < place { return CheckResult(check, .passed, note?.evidence() ?? "") }
            let evidence = note?.hasPassed == false ? note?.evidence() : check.failureDescription
            return CheckResult(
                check, .failed,
                (evidence ?? errorMessage) + Self.rateLimitSuffix(of: check, kept.entries))
        }
    }

    private static func failedCheck(_ kept: State) -> RequestCheck {
        let broken = Set(kept.entries.filter { !$0.hasPassed }.map(\.check))
        return kept.failureCandidates.first { broken.contains($0) } ?? kept.failureCandidates.last
            ?? kept.entries.last {
                !$0.hasPassed
            }?.check  // Some pages say no without throwing it.
            ?? (kept.entries.contains { $0.check == .route } ? .fields : .route)
    }

    /// The plan, with what was noted besides put where it was noted.
    private static func orderedChecks(_ kept: State) -> [RequestCheck] {
        var order = kept.plannedChecks
        var place = 0
        for note in kept.entries {
            if let at = order.firstIndex(of: note.check) {
                place = at + 1
            } else if note.hasPassed || kept.failureCandidates.contains(note.check) {
                order.insert(note.check, at: min(place, order.count))
                place += 1
            }
        }
        return order
    }

    /// How many wrong ones a limit has counted because of this one.
    private static func rateLimitSuffix(of check: RequestCheck, _ notes: [Entry]) -> String {
        guard check == .password || check == .account,
            let wrong = notes.firstIndex(where: { $0.check == check }),
            let limit = notes[wrong...].first(where: { $0.check == .rateLimit }), limit.hasPassed
        else { return "" }
        let evidence = limit.evidence()
        return evidence.isEmpty ? "" : ", \(evidence)"
    }
}
