import Apps
import Simulator

/// What a drawing of an app's screens tells of them: which were shown, which
/// ways were taken.
struct ScreenGraphOverlay {
    var app: App
    /// The screen that is shown now.
    var currentScreen: String?
    /// How often each was shown, by screen.
    var visitCounts: [String: Int]
    var transitions: [Transition]
    var lastTransition: Transition?
    /// Whether somebody asks for what was not shown.
    var marksMissed = false
    /// Whether ways say how often they were taken.
    var showsCounts = false

    func traversalCount(of way: ScreenGraphEdge) -> Int {
        transitions.first { $0.from == way.from && $0.to == way.to }?.count ?? 0
    }

    func isLastTransition(_ way: ScreenGraphEdge) -> Bool {
        lastTransition?.from == way.from && lastTransition?.to == way.to
    }

    /// What may stand at a way, the longest first; `back` is the way back
    /// where one line is drawn for both.
    func labels(of way: ScreenGraphEdge, reverse: ScreenGraphEdge?) -> [String] {
        var labels: [String] = []
        if !way.label.isEmpty { labels.append(way.label) }
        // `Back to Login`: the arrow says where to.
        if let to = way.label.firstRange(of: " to ") {
            labels.append(String(way.label[..<to.lowerBound]))
        }
        guard showsCounts else { return labels }
        let counts = [traversalCount(of: way), reverse.map(traversalCount) ?? 0]
        guard counts != [0, 0] else { return [] }
        // `1 ⇄ 0`: of one line for both, nobody took the way back.
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
