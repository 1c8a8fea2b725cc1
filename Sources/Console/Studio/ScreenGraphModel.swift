import Apps
import FoundationEssentials
import Simulator
import Templates
import Web

/// The screen graph: every screen, the transitions between them, and the current screen.
///
/// Two drawings of the same graph: `wide` is 704 px across with nodes of 92 × 28, `compact` 360 px
/// with nodes of 86 × 28. `screenDescriptions` repeats them as text. Coordinates are px of the
/// drawing; rows are 56 px apart, the first at y 24, so that an edge can pass above.
struct ScreenGraphModel: Encodable, Sendable {
    /// The id of the current screen.
    var currentScreen: String
    /// `on map for`, `not started`.
    var sinceText: String
    /// `37 s`; empty without `sinceAt`.
    var elapsedText: String
    /// ISO 8601; nil before the first launch.
    var sinceAt: String?
    /// The event that led to the current screen; nil if it was deleted.
    var sinceURL: String?
    var wide: Drawing
    var compact: Drawing
    var screenDescriptions: [TemplateModel]

    struct Drawing: Encodable, Sendable {
        var width: Int
        var height: Int
        var nodes: [Node]
        var edges: [Edge]
        var labels: [Label]
    }

    struct Node: Encodable, Sendable {
        var name: String
        var kind: Kind
        var x: Int
        var y: Int
        var w: Int
        var h: Int
        /// The center of the name, from the node's left side.
        var centerX: Int
        /// How often it was shown, if more than once, and the text's center.
        var visitCount: String?
        var visitCountX: Int
        /// The current node only: the width of the halo, 4 px around it.
        var haloWidth: Int?
    }

    enum Kind: String, Encodable, Sendable { case current, visited, unreached, missed }

    struct Edge: Encodable, Sendable {
        /// SVG path data: orthogonal, with corners of radius 6, ending 3 px before the node's
        /// border (7 before the current node's, for its halo).
        var d: String
        /// `taken`, `last` (the edge that led to the current screen), `open` (not traversed), or
        /// `missed` (not traversed in a coverage map).
        var kind: String
        /// Whether it has an arrowhead at its end; an edge that joins another has none.
        var hasArrowhead: Bool
    }

    struct Label: Encodable, Sendable {
        /// The center and baseline of the text; a label on a line is 4 px below it.
        var x: Int
        var y: Int
        var text: String
        /// Whether it labels the edge that led to the current screen.
        var isLastTransition: Bool
    }
}

extension ScreenGraphModel {
    init(_ status: AppStatus, now: Date, sinceURL: String? = nil) {
        let hasStarted = !status.visits.isEmpty
        let overlay = ScreenGraphOverlay(status)
        let wide = ScreenGraphDrawing(
            layout: .makeWide(status.app), overlay: overlay, dimensions: .wide)
        let compact = ScreenGraphDrawing(
            layout: .makeCompact(status.app), overlay: overlay, dimensions: .compact)
        self.init(
            currentScreen: status.screen,
            sinceText: hasStarted ? "on \(status.screen) for" : "not started",
            elapsedText: hasStarted
                ? Format.duration(now.timeIntervalSince(status.screenSince)) : "",
            sinceAt: hasStarted ? status.screenSince.iso8601 : nil, sinceURL: sinceURL,
            wide: wide.draw(), compact: compact.draw(),
            screenDescriptions: status.app.screens.map(wide.description))
    }
}

extension ScreenGraphDrawing {
    /// The screen as text: `map, current, shown once; leads to settings`.
    fileprivate func description(of screen: Screen) -> TemplateModel {
        let count = overlay.visitCounts[screen.id]
        let timesText = (count ?? 1) == 1 ? "once" : "\(count ?? 1) times"
        let targets = layout.edges.filter { $0.from == screen.id }.map(\.to)
        let kind = kind(of: screen.id)
        let status =
            switch kind {
            case .current: "current, shown \(timesText)"
            case .visited: "shown \(timesText)"
            case .unreached, .missed: "not shown yet"
            }
        return [
            "name": screen.id, "kind": kind, "visitCount": count ?? 0,
            "description": "\(screen.id), \(status)"
                + (targets.isEmpty ? "" : "; leads to \(targets.joined(separator: ", "))"),
        ]
    }
}
