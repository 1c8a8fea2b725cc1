import Apps
import Simulator

/// What a drawing of an app's screens tells of them: which were shown, which
/// ways were taken.
struct StateFacts {
    var app: App
    /// The screen that is shown now.
    var current: String?
    /// How often each was shown, by screen.
    var visits: [String: Int]
    var paths: [Transition]
    var lastPath: Transition?
    /// Whether somebody asks for what was not shown.
    var areMissed = false
    /// Whether ways say how often they were taken.
    var areCounted = false

    func count(_ way: StateWay) -> Int {
        paths.first { $0.from == way.from && $0.to == way.to }?.count ?? 0
    }

    func isLast(_ way: StateWay) -> Bool { lastPath?.from == way.from && lastPath?.to == way.to }

    /// What may stand at a way, the longest first; `back` is the way back
    /// where one line is drawn for both.
    func labels(_ way: StateWay, back: StateWay?) -> [String] {
        var labels: [String] = []
        if !way.label.isEmpty { labels.append(way.label) }
        // `Back to Login`: the arrow says where to.
        if let to = way.label.firstRange(of: " to ") {
            labels.append(String(way.label[..<to.lowerBound]))
        }
        guard areCounted else { return labels }
        let counts = [count(way), back.map(count) ?? 0]
        guard counts != [0, 0] else { return [] }
        // `1 ⇄ 0`: of one line for both, nobody took the way back.
        let number = back == nil ? "\(counts[0])" : "\(counts[0]) ⇄ \(counts[1])"
        return labels.map { "\($0) \(number)" } + [number]
    }
}

extension StateFacts {
    init(_ situation: Situation) {
        app = situation.app
        visits = Dictionary(situation.visits.map { ($0.screen, $0.count) }, uniquingKeysWith: +)
        current = visits.isEmpty ? nil : situation.screen
        paths = situation.paths
        lastPath = situation.lastPath
    }
}
