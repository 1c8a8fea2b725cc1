import Apps
import FoundationEssentials
import Simulator
import Web

/// How a situation becomes the state map and its spoken list.
extension StateModel {
    init(_ situation: Situation, now: Date) {
        let layout = StateLayout.wide(situation.app)
        let started = !situation.visits.isEmpty
        let facts = StateFacts(situation)
        let wide = StateDrawing(layout: layout, facts: facts, measure: .wide)
        let compact = StateDrawing(layout: .compact(situation.app), facts: facts, measure: .compact)
        let span = now.timeIntervalSince(situation.since)
        self.init(
            currentScreen: situation.screen,
            sinceText: started ? "on \(situation.screen) for" : "not started",
            since: started ? Words.span(span) : "",
            sinceAt: started ? situation.since.iso8601 : nil, wide: wide.draw(),
            compact: compact.draw(),
            spokenScreens: situation.app.screens.map { screen in
                Self.spoken(screen, situation, layout, wide)
            })
    }

    private static func spoken(
        _ screen: Screen, _ situation: Situation, _ layout: StateLayout, _ drawing: StateDrawing
    ) -> SpokenScreen {
        let kind = drawing.kind(of: screen.id)
        let count = situation.visits.first { $0.screen == screen.id }?.count
        let shown: String
        switch kind {
        case .current: shown = "current, shown \(times(count ?? 1))"
        case .visited: shown = "shown \(times(count ?? 1))"
        case .unreached, .missed: shown = "not shown yet"
        }
        let next = layout.ways.filter { $0.from == screen.id }.map(\.to)
        let leads = next.isEmpty ? "" : "; leads to \(next.joined(separator: ", "))"
        return SpokenScreen(
            name: screen.id, kind: kind, visits: String(count ?? 0),
            sentence: "\(screen.id), \(shown)\(leads)")
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
