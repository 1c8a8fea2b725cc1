import Synchronization

/// The check results of recent rejections, by request id.
///
/// The recorder of a response takes its results; newer ones replace those not taken.
final class CheckTraces: Sendable {
    private let state = Mutex(State())

    private static let capacity = 512

    private struct State {
        var resultsByRequestID: [String: [CheckResult]] = [:]
        /// Oldest first; a ring buffer once it is full.
        var requestIDs: [String] = []
        var nextIndex = 0
    }

    func store(_ checks: [CheckResult], for id: String) {
        state.withLock { state in
            state.resultsByRequestID[id] = checks
            if state.requestIDs.count < Self.capacity {
                state.requestIDs.append(id)
            } else {
                state.resultsByRequestID[state.requestIDs[state.nextIndex]] = nil
                state.requestIDs[state.nextIndex] = id
                state.nextIndex = (state.nextIndex + 1) % Self.capacity
            }
        }
    }

    func take(_ id: String) -> [CheckResult]? {
        state.withLock { $0.resultsByRequestID.removeValue(forKey: id) }
    }
}
