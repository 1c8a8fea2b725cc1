/// An observed transition from one screen of an app to another.
package struct Transition: Sendable, Equatable {
    /// Empty if the screen was shown without one before: a start, a reload of the app.
    package var from: String
    package var to: String
    package var count: Int

    package init(from: String, to: String, count: Int) {
        self.from = from
        self.to = to
        self.count = count
    }
}

extension Transition {
    /// The transitions made between two states of one app on one device.
    static func between(_ old: PersistedAppState, _ new: PersistedAppState) -> [Transition] {
        guard old.visits != new.visits else { return [] }
        var result: [Transition] = []
        for transition in new.transitions {
            let before =
                old.transitions.first { $0.from == transition.from && $0.to == transition.to }?
                .count ?? 0
            if transition.count > before {
                result.append(
                    Transition(
                        from: transition.from, to: transition.to, count: transition.count - before))
            }
        }
        for visit in new.visits {
            let before = old.visits.first { $0.screen == visit.screen }?.count ?? 0
            let navigations = result.filter { $0.to == visit.screen }.reduce(0) { $0 + $1.count }
            let restarts = visit.count - before - navigations
            if restarts > 0 {
                result.append(Transition(from: "", to: visit.screen, count: restarts))
            }
        }
        return result
    }
}
