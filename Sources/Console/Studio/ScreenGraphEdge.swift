import Apps

/// A way from one screen to another, as the state map draws it.
struct ScreenGraphEdge: Equatable {
    var from: String
    var to: String
    /// What leads there: `Login`, `relaunch`; empty where it goes without
    /// saying.
    var label: String
    /// Whether only links and tabs make it: nothing is done on the way.
    var isNavigationOnly: Bool

    /// One way for each pair of screens, the first label that is told.
    static func all(of app: App) -> [ScreenGraphEdge] {
        var ways: [ScreenGraphEdge] = []
        for edge in app.edges where edge.from != edge.to && edge.isOnScreenGraph {
            guard app.screen(edge.from) != nil, app.screen(edge.to) != nil else { continue }
            let isLook = edge.kind == .link || edge.kind == .tab
            let index = ways.firstIndex { $0.from == edge.from && $0.to == edge.to }
            guard let index else {
                ways.append(
                    ScreenGraphEdge(
                        from: edge.from, to: edge.to, label: edgeLabel(edge),
                        isNavigationOnly: isLook))
                continue
            }
            ways[index].isNavigationOnly = ways[index].isNavigationOnly && isLook
            // What starts without a condition needs no word.
            if edge.kind == .launch, edge.label == "start" {
                ways[index].label = ""
            } else if ways[index].label.isEmpty, edge.kind != .launch {
                ways[index].label = edge.label
            }
        }
        return ways
    }

    private static func edgeLabel(_ edge: Edge) -> String {
        switch edge.kind {
        case .launch: edge.label == "start" ? "" : "relaunch"
        case .tab: ""
        default: edge.label
        }
    }
}
