/// A page of a list, keyed by sequence, as a room gives it.
protocol KeyedPage {
    associatedtype Item
    var items: [Item] { get }
    /// All that fit, or more than were counted.
    var total: Int { get }
    var totalIsExact: Bool { get }
    var hasNewer: Bool { get }
    var hasOlder: Bool { get }

    static func key(_ item: Item) -> Int64
}
