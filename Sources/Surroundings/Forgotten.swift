/// The workspaces that went last: what was under way in one ends long before
/// so many others have gone too.
package struct Forgotten: Sendable {
    private var ids: Set<String> = []
    private var order: [String] = []
    private var next = 0

    private static let most = 4_096

    package init() {}

    package func contains(_ id: String) -> Bool { ids.contains(id) }

    package mutating func insert(_ id: String) {
        guard ids.insert(id).inserted else { return }
        guard order.count >= Self.most else { return order.append(id) }
        ids.remove(order[next])
        order[next] = id
        next = (next + 1) % Self.most
    }
}
