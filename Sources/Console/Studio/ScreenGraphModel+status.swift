import Apps
import FoundationEssentials
import Simulator
import Web

/// Builds the screen graph and its text description from an app's status.
extension ScreenGraphModel {
    init(_ status: AppStatus, now: Date) {
        let layout = ScreenGraphLayout.makeWide(status.app)
        let hasStarted = !status.visits.isEmpty
        let overlay = ScreenGraphOverlay(status)
        let wide = ScreenGraphDrawing(layout: layout, overlay: overlay, dimensions: .wide)
        let compact = ScreenGraphDrawing(
            layout: .makeCompact(status.app), overlay: overlay, dimensions: .compact)
        let span = now.timeIntervalSince(status.screenSince)
        self.init(
            currentScreen: status.screen,
            sinceText: hasStarted ? "on \(status.screen) for" : "not started",
            elapsedText: hasStarted ? Format.duration(span) : "",
            sinceAt: hasStarted ? status.screenSince.iso8601 : nil, wide: wide.draw(),
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
        let statusText: String
        switch kind {
        case .current: statusText = "current, shown \(timesText(count ?? 1))"
        case .visited: statusText = "shown \(timesText(count ?? 1))"
        case .unreached, .missed: statusText = "not shown yet"
        }
        let targets = layout.edges.filter { $0.from == screen.id }.map(\.to)
        let targetsText = targets.isEmpty ? "" : "; leads to \(targets.joined(separator: ", "))"
        return ScreenDescription(
            name: screen.id, kind: kind, visitCount: String(count ?? 0),
            description: "\(screen.id), \(statusText)\(targetsText)")
    }

    private static func timesText(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
