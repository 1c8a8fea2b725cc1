/// A way from one screen of an app to another that was really taken.
package struct Transition: Sendable, Equatable {
    /// Empty where the screen was shown anew: a start, a reload of the app.
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
    /// What was taken between two states of one app on one device.
    static func between(_ old: PersistedAppState, _ new: PersistedAppState) -> [Transition] {
        guard old.visits != new.visits else { return [] }
        var taken: [Transition] = []
        for path in new.transitions {
            let before =
                old.transitions.first { $0.from == path.from && $0.to == path.to }?.count ?? 0
            if path.count > before {
                taken.append(Transition(from: path.from, to: path.to, count: path.count - before))
            }
        }
        for visit in new.visits {
            let before = old.visits.first { $0.screen == visit.screen }?.count ?? 0
            let came = taken.filter { $0.to == visit.screen }.reduce(0) { $0 + $1.count }
            let anew = visit.count - before - came
            if anew > 0 { taken.append(Transition(from: "", to: visit.screen, count: anew)) }
        }
        return taken
    }
}
