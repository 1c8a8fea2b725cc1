import Synchronization

/// The trails of the latest refusals, by the id their answers bore.
///
/// Whoever records the answer takes its trail; those nobody takes are
/// pushed out by newer ones.
final class CheckTraces: Sendable {
    private let state = Mutex(State())

    private static let capacity = 512

    private struct State {
        var resultsByRequestID: [String: [CheckResult]] = [:]
        /// Oldest first; a ring once it is full.
        var requestIDs: [String] = []
        var nextIndex = 0
    }

    func store(_ checks: [CheckResult], for id: String) {
        state.withLock { kept in
            kept.resultsByRequestID[id] = checks
            if kept.requestIDs.count < Self.capacity {
                kept.requestIDs.append(id)
            } else {
                kept.resultsByRequestID[kept.requestIDs[kept.nextIndex]] = nil
                kept.requestIDs[kept.nextIndex] = id
                kept.nextIndex = (kept.nextIndex + 1) % Self.capacity
            }
        }
    }

    func take(_ id: String) -> [CheckResult]? {
        state.withLock { $0.resultsByRequestID.removeValue(forKey: id) }
    }
}
