import Synchronization

/// The trails of the latest refusals, by the id their answers bore.
///
/// Whoever records the answer takes its trail; those nobody takes are
/// pushed out by newer ones.
final class Trails: Sendable {
    private let kept = Mutex(Kept())

    private static let bound = 512

    private struct Kept {
        var trails: [String: [CheckMade]] = [:]
        /// Oldest first; a ring once it is full.
        var ids: [String] = []
        var next = 0
    }

    func keep(_ checks: [CheckMade], as id: String) {
        kept.withLock { kept in
            kept.trails[id] = checks
            if kept.ids.count < Self.bound {
                kept.ids.append(id)
            } else {
                kept.trails[kept.ids[kept.next]] = nil
                kept.ids[kept.next] = id
                kept.next = (kept.next + 1) % Self.bound
            }
        }
    }

    func take(_ id: String) -> [CheckMade]? { kept.withLock { $0.trails.removeValue(forKey: id) } }
}
