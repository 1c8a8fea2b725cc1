import Apps
import FoundationEssentials
import Simulator
import Templates
import Web

/// The drawings of a screen graph: every screen, and the transitions between them.
///
/// Two drawings of the same graph: `wide` is 704 px across with nodes of 92 × 28, `compact` 360 px
/// with nodes of 86 × 28. Coordinates are px of the drawing; rows are 56 px apart, the first at y
/// 24, so that an edge can pass above.
enum ScreenGraphModel {
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

extension AppStatus {
    /// The app's screen graph with the current screen (`studio/state`). `sinceURL` is the event that
    /// led to that screen, nil if it was deleted.
    func model(of graph: ScreenGraph, now: Date, sinceURL: String? = nil) -> TemplateModel {
        let hasStarted = !visits.isEmpty
        let overlay = ScreenGraphOverlay(self)
        let wide = ScreenGraphDrawing(layout: graph.wide, overlay: overlay)
        let compact = ScreenGraphDrawing(layout: graph.compact, overlay: overlay)
        return [
            "currentScreen": screen, "sinceText": hasStarted ? "on \(screen) for" : "not started",
            "elapsedText": Format.duration(now.timeIntervalSince(screenSince)),
            "sinceAt": hasStarted ? screenSince.iso8601 : nil, "sinceURL": sinceURL,
            "wide": wide.draw(), "compact": compact.draw(),
            "screenDescriptions": wide.screenDescriptions,
        ]
    }
}

extension ScreenGraphDrawing {
    /// The screens as text: `map, current, shown once; leads to settings`.
    fileprivate var screenDescriptions: [TemplateModel] {
        let edges = Dictionary(grouping: layout.edges, by: \.from)
        return overlay.app.screens.map { screen in
            description(of: screen, targets: (edges[screen.id] ?? []).map(\.to))
        }
    }

    private func description(of screen: Screen, targets: [String]) -> TemplateModel {
        let count = overlay.visitCounts[screen.id]
        let timesText = (count ?? 1) == 1 ? "once" : "\(count ?? 1) times"
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
