import Apps
import FoundationEssentials
import Simulator
import Web

/// How a situation becomes the state map and its spoken list.
extension ScreenGraphModel {
    init(_ status: AppStatus, now: Date) {
        let layout = ScreenGraphLayout.makeWide(status.app)
        let started = !status.visits.isEmpty
        let facts = ScreenGraphOverlay(status)
        let wide = ScreenGraphDrawing(layout: layout, overlay: facts, dimensions: .wide)
        let compact = ScreenGraphDrawing(
            layout: .makeCompact(status.app), overlay: facts, dimensions: .compact)
        let span = now.timeIntervalSince(status.screenSince)
        self.init(
            currentScreen: status.screen,
            sinceText: started ? "on \(status.screen) for" : "not started",
            elapsedText: started ? Format.duration(span) : "",
            sinceAt: started ? status.screenSince.iso8601 : nil, wide: wide.draw(),
            compact: compact.draw(),
            screenDescriptions: status.app.screens.map { screen in
                Self.describe(screen, status, layout, wide)
            })
    }

    private static func describe(
        _ screen: Screen, _ status: AppStatus, _ layout: ScreenGraphLayout,
        _ drawing: ScreenGraphDrawing
    ) -> ScreenDescription {
        let kind = drawing.kind(of: screen.id)
        let count = status.visits.first { $0.screen == screen.id }?.count
        let shown: String
        switch kind {
        case .current: shown = "current, shown \(timesText(count ?? 1))"
        case .visited: shown = "shown \(timesText(count ?? 1))"
        case .unreached, .missed: shown = "not shown yet"
        }
        let next = layout.edges.filter { $0.from == screen.id }.map(\.to)
        let leads = next.isEmpty ? "" : "; leads to \(next.joined(separator: ", "))"
        return ScreenDescription(
            name: screen.id, kind: kind, visitCount: String(count ?? 0),
            description: "\(screen.id), \(shown)\(leads)")
    }

    private static func timesText(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
