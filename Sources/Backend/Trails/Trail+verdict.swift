extension Trail {
    /// Every check in order, with the one that failed; `said` is what the
    /// refusal's answer says, for failures nobody noted.
    func verdict(said: String) -> [CheckMade] {
        let kept = all
        let seen = Dictionary(kept.notes.map { ($0.check, $0) }, uniquingKeysWith: { $1 })
        let failed = Self.failed(kept)
        var order = Self.order(kept)
        let last = order.lastIndex { seen[$0]?.holds == true } ?? -1
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
            if index > place { return CheckMade(check, .notReached, "") }
            let note = seen[check]
            if index < place { return CheckMade(check, .passed, note?.evidence() ?? "") }
            let evidence = note?.holds == false ? note?.evidence() : check.failing
            return CheckMade(check, .failed, (evidence ?? said) + Self.count(of: check, kept.notes))
        }
    }

    private static func failed(_ kept: Kept) -> Check {
        let broken = Set(kept.notes.filter { !$0.holds }.map(\.check))
        return kept.blamed.first { broken.contains($0) } ?? kept.blamed.last ?? kept.notes.last {
            !$0.holds
        }?.check  // Some pages say no without throwing it.
            ?? (kept.notes.contains { $0.check == .route } ? .fields : .route)
    }

    /// The plan, with what was noted besides put where it was noted.
    private static func order(_ kept: Kept) -> [Check] {
        var order = kept.plan
        var place = 0
        for note in kept.notes {
            if let at = order.firstIndex(of: note.check) {
                place = at + 1
            } else if note.holds || kept.blamed.contains(note.check) {
                order.insert(note.check, at: min(place, order.count))
                place += 1
            }
        }
        return order
    }

    /// How many wrong ones a limit has counted because of this one.
    private static func count(of check: Check, _ notes: [Note]) -> String {
        guard check == .password || check == .account,
            let wrong = notes.firstIndex(where: { $0.check == check }),
            let limit = notes[wrong...].first(where: { $0.check == .limit }), limit.holds
        else { return "" }
        let evidence = limit.evidence()
        return evidence.isEmpty ? "" : ", \(evidence)"
    }
}
