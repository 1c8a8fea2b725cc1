import Synchronization

/// The checks one request went through, noted where they are made.
///
/// It travels with the task, as tracing libraries do, so that the shared
/// places (tokens, passwords, codes, limits) can note what they see without
/// every caller handing it on. What is noted is put into words only if the
/// answer is a refusal.
final class CheckTrace: Sendable {
    @TaskLocal static var current: CheckTrace?

    /// What the answer bears as its `X-Request-Id`.
    let requestID: String
    private let state = Mutex(State())

    init(requestID: String) { self.requestID = requestID }

    struct Entry: Sendable {
        let check: RequestCheck
        let hasPassed: Bool
        let evidence: @Sendable () -> String
    }

    struct State: Sendable {
        /// What the route looks at, in its order.
        var plannedChecks: [RequestCheck] = [.host, .workspace, .route]
        /// In the order made, one a check.
        var entries: [Entry] = []
        /// Which of them the refusal may rest on.
        var failureCandidates: [RequestCheck] = []
        /// Words of the refusal's own, better than those of its answer.
        var failureReason: String?
    }

    /// What was noted so far.
    var currentState: State { state.withLock { $0 } }

    /// Notes a check of the request under way, if there is one. Evidence
    /// holds no password, and of a token at most what `Token.masked` shows.
    static func record(
        _ check: RequestCheck, _ holds: Bool = true,
        _ evidence: @escaping @Sendable @autoclosure () -> String = ""
    ) {
        guard let trail = current else { return }
        let note = Entry(check: check, hasPassed: holds, evidence: evidence)
        trail.state.withLock { kept in
            let known = kept.entries.firstIndex { $0.check == check }
            // Of several things a code may have been sent for, one is right.
            if let known, check == .code, kept.entries[known].hasPassed { return }
            if let known { kept.entries.remove(at: known) }
            kept.entries.append(note)
        }
    }

    /// Says what the route will look at from here on, in its order.
    static func plan(_ checks: [RequestCheck]) {
        current?.state.withLock { kept in
            kept.plannedChecks += checks.filter { !kept.plannedChecks.contains($0) }
        }
    }

    /// Whether the route looks at it.
    static func isPlanned(_ check: RequestCheck) -> Bool {
        current?.state.withLock { $0.plannedChecks.contains(check) } ?? false
    }

    /// Says on which of these the refusal rests: the first that was seen not
    /// to hold, else the last.
    static func setFailureCandidates(_ checks: [RequestCheck]) {
        current?.state.withLock { $0.failureCandidates = checks }
    }
}
