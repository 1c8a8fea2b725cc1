/// The workspaces that went last: what was under way in one ends long before
/// so many others have gone too.
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
