/// The ids of the last 4,096 removed workspaces.
///
/// Work in progress in a removed workspace ends long before that many others are removed.
package struct RecentlyRemovedIDs: Sendable {
    private var ids: Set<String> = []
    private var order: [String] = []
    private var oldestIndex = 0

    private static let capacity = 4_096

    package init() {}

    package func contains(_ id: String) -> Bool { ids.contains(id) }

    package mutating func insert(_ id: String) {
        guard ids.insert(id).inserted else { return }
        guard order.count >= Self.capacity else { return order.append(id) }
        ids.remove(order[oldestIndex])
        order[oldestIndex] = id
        oldestIndex = (oldestIndex + 1) % Self.capacity
    }
}
