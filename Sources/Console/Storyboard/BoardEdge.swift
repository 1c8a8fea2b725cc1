import Apps

/// A way between two columns of a sheet.
struct BoardEdge: Equatable {
    /// Places of columns.
    var from: Int
    var to: Int
    /// What leads there; empty where it goes without saying.
    var label: String
    /// Forward in the flow, what is done on the way; else it is quiet.
    var isPrimary: Bool

    var isForward: Bool { from < to }
    var firstColumn: Int { min(from, to) }
    var lastColumn: Int { max(from, to) }

    /// A step to the next column, drawn as an arrow between the two.
    var isAdjacent: Bool { to == from + 1 }

    /// `login leads to map: Login`.
    func description(columns: [String]) -> String {
        "\(columns[from]) leads to \(columns[to])" + (label.isEmpty ? "" : ": \(label)")
    }

    /// The ways between `columns`, which are screens in the sheet's order.
    static func all(of app: App, between columns: [String]) -> [BoardEdge] {
        let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        let ways = ScreenGraphEdge.all(of: app)
        return ways.compactMap { way in
            guard let from = places[way.from], let to = places[way.to] else { return nil }
            // Tabs and links to and fro say no more than the way forward.
            let isBack =
                way.isNavigationOnly && from > to
                && ways.contains { $0.from == way.to && $0.to == way.from }
            guard !isBack else { return nil }
            return BoardEdge(
                from: from, to: to, label: way.label,
                isPrimary: from < to && way.label != "relaunch")
        }
    }
}
