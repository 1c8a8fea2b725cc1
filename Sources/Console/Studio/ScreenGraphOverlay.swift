import Apps
import Simulator

/// The usage of an app's screens for a drawing: visited screens and traversed edges.
struct ScreenGraphOverlay {
    var app: App
    /// The screen shown now.
    var currentScreen: String?
    /// The number of visits by screen.
    var visitCounts: [String: Int]
    var transitions: [Transition]
    var lastTransition: Transition?
    /// Whether unvisited screens and untraversed edges are marked as missed.
    var marksMissed = false
    /// Whether labels include traversal counts.
    var showsCounts = false

    func traversalCount(of edge: ScreenGraphEdge) -> Int {
        transitions.first { $0.from == edge.from && $0.to == edge.to }?.count ?? 0
    }

    func isLastTransition(_ edge: ScreenGraphEdge) -> Bool {
        lastTransition?.from == edge.from && lastTransition?.to == edge.to
    }

    /// Candidate labels of an edge, the longest first; `reverse` is the backward edge if one line
    /// is drawn for both.
    func labels(of edge: ScreenGraphEdge, reverse: ScreenGraphEdge?) -> [String] {
        var labels: [String] = []
        if !edge.label.isEmpty { labels.append(edge.label) }
        // `Back to Login`: the arrow shows the target.
        if let to = edge.label.firstRange(of: " to ") {
            labels.append(String(edge.label[..<to.lowerBound]))
        }
        guard showsCounts else { return labels }
        let counts = [traversalCount(of: edge), reverse.map(traversalCount) ?? 0]
        guard counts != [0, 0] else { return [] }
        // `1 ⇄ 0`: for a line in both directions, traversed only forward.
        let number = reverse == nil ? "\(counts[0])" : "\(counts[0]) ⇄ \(counts[1])"
        return labels.map { "\($0) \(number)" } + [number]
    }
}

extension ScreenGraphOverlay {
    init(_ status: AppStatus) {
        app = status.app
        visitCounts = Dictionary(status.visits.map { ($0.screen, $0.count) }, uniquingKeysWith: +)
        currentScreen = visitCounts.isEmpty ? nil : status.screen
        transitions = status.transitions
        lastTransition = status.lastTransition
    }
}
