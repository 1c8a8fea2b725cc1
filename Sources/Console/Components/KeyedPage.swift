/// One page of a list with keyset pagination by sequence number.
protocol KeyedPage {
    associatedtype Item
    var items: [Item] { get }
    /// The number of matching items; a lower bound unless `totalIsExact`.
    var total: Int { get }
    var totalIsExact: Bool { get }
    var hasNewer: Bool { get }
    var hasOlder: Bool { get }

    static func key(_ item: Item) -> Int64
}
