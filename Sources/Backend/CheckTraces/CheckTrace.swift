import Synchronization

/// The checks of one request, recorded where they are made.
///
/// A task local, as in tracing libraries, so that shared code (tokens, passwords, codes, limits)
/// can record checks without every caller passing it on. Evidence is formatted only if the request
/// is rejected.
package final class CheckTrace: Sendable {
    @TaskLocal static var current: CheckTrace?

    /// The `X-Request-Id` of the response.
    let requestID: String
    private let state = Mutex(State())

    init(requestID: String) { self.requestID = requestID }

    struct Entry: Sendable {
        let check: RequestCheck
        let hasPassed: Bool
        let evidence: @Sendable () -> String
    }

    struct State: Sendable {
        /// The checks of the route, in order.
        var plannedChecks: [RequestCheck] = [.host, .workspace, .route]
        /// In the order made, one per check.
        var entries: [Entry] = []
        /// The checks that may have caused the rejection.
        var failureCandidates: [RequestCheck] = []
        /// A more specific reason than the response's message.
        var failureReason: String?
    }

    var currentState: State { state.withLock { $0 } }

    /// Records a check of the current request, if there is one. Evidence contains no password, and
    /// of a token at most `Token.masked`.
    package static func record(
        _ check: RequestCheck, _ hasPassed: Bool = true,
        _ evidence: @escaping @Sendable @autoclosure () -> String = ""
    ) {
        guard let trace = current else { return }
        let entry = Entry(check: check, hasPassed: hasPassed, evidence: evidence)
        trace.state.withLock { state in
            let existing = state.entries.firstIndex { $0.check == check }
            // A code is tried for several purposes; one match is sufficient.
            if let existing, check == .code, state.entries[existing].hasPassed { return }
            if let existing { state.entries.remove(at: existing) }
            state.entries.append(entry)
        }
    }

    /// Adds the checks the route will make from here on, in order.
    package static func plan(_ checks: [RequestCheck]) {
        current?.state.withLock { state in
            state.plannedChecks += checks.filter { !state.plannedChecks.contains($0) }
        }
    }

    /// Whether the route makes this check.
    package static func isPlanned(_ check: RequestCheck) -> Bool {
        current?.state.withLock { $0.plannedChecks.contains(check) } ?? false
    }

    /// Sets the checks that may have caused the rejection: the first one that failed did, else the
    /// last.
    static func setFailureCandidates(_ checks: [RequestCheck]) {
        current?.state.withLock { $0.failureCandidates = checks }
    }
}

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
