import Apps

/// A way between two columns of a sheet.
struct SheetWay: Equatable {
    /// Places of columns.
    var from: Int
    var to: Int
    /// What leads there; empty where it goes without saying.
    var label: String
    /// Forward in the flow, what is done on the way; else it is quiet.
    var isFlow: Bool

    var isForward: Bool { from < to }
    var first: Int { min(from, to) }
    var last: Int { max(from, to) }

    /// A step to the next column, drawn as an arrow between the two.
    var isStep: Bool { to == from + 1 }

    /// `login leads to map: Login`.
    func words(_ columns: [String]) -> String {
        "\(columns[from]) leads to \(columns[to])" + (label.isEmpty ? "" : ": \(label)")
    }

    /// The ways between `columns`, which are screens in the sheet's order.
    static func all(of app: App, between columns: [String]) -> [SheetWay] {
        let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
        let ways = StateWay.all(of: app)
        return ways.compactMap { way in
            guard let from = places[way.from], let to = places[way.to] else { return nil }
            // Tabs and links to and fro say no more than the way forward.
            let isBack =
                way.isLook && from > to && ways.contains { $0.from == way.to && $0.to == way.from }
            guard !isBack else { return nil }
            return SheetWay(
                from: from, to: to, label: way.label, isFlow: from < to && way.label != "relaunch")
        }
    }
}
