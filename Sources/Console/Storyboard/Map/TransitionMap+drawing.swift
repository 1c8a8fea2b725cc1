import Simulator
import Storyboards

/// Shows the counts on the app's screen graph.
extension TransitionMap {
    /// Adds the traversed edges that `layout` omits. Edges of failures are drawn only if traversed,
    /// as they would clutter the map.
    func addingTraversedEdges(to layout: ScreenGraphLayout) -> ScreenGraphLayout {
        var drawnEdges = layout.edges
        for edge in edges where edge.count > 0 {
            guard !drawnEdges.contains(where: { $0.from == edge.from && $0.to == edge.to }) else {
                continue
            }
            drawnEdges.append(
                ScreenGraphEdge(
                    from: edge.from, to: edge.to, label: edge.labels.first ?? "",
                    isNavigationOnly: false))
        }
        return ScreenGraphLayout(positions: layout.positions, edges: drawnEdges)
    }

    func overlay(marksMissed: Bool) -> ScreenGraphOverlay {
        ScreenGraphOverlay(
            app: app, currentScreen: nil,
            visitCounts: Dictionary(
                uniqueKeysWithValues: screens.filter { $0.count > 0 }.map { ($0.id, $0.count) }),
            transitions: edges.filter { $0.count > 0 }.map {
                Transition(from: $0.from, to: $0.to, count: $0.count)
            }, lastTransition: nil, marksMissed: marksMissed, showsCounts: true)
    }
}
