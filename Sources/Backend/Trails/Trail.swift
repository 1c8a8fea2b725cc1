import Synchronization

/// The checks one request went through, noted where they are made.
///
/// It travels with the task, as tracing libraries do, so that the shared
/// places (tokens, passwords, codes, limits) can note what they see without
/// every caller handing it on. What is noted is put into words only if the
/// answer is a refusal.
final class Trail: Sendable {
    @TaskLocal static var current: Trail?

    /// What the answer bears as its `X-Request-Id`.
    let request: String
    private let kept = Mutex(Kept())

    init(request: String) { self.request = request }

    struct Note: Sendable {
        let check: Check
        let holds: Bool
        let evidence: @Sendable () -> String
    }

    struct Kept: Sendable {
        /// What the route looks at, in its order.
        var plan: [Check] = [.host, .workspace, .route]
        /// In the order made, one a check.
        var notes: [Note] = []
        /// Which of them the refusal may rest on.
        var blamed: [Check] = []
        /// Words of the refusal's own, better than those of its answer.
        var because: String?
    }

    /// What was noted so far.
    var all: Kept { kept.withLock { $0 } }

    /// Notes a check of the request under way, if there is one. Evidence
    /// holds no password, and of a token at most what `Token.masked` shows.
    static func note(
        _ check: Check, _ holds: Bool = true,
        _ evidence: @escaping @Sendable @autoclosure () -> String = ""
    ) {
        guard let trail = current else { return }
        let note = Note(check: check, holds: holds, evidence: evidence)
        trail.kept.withLock { kept in
            let known = kept.notes.firstIndex { $0.check == check }
            // Of several things a code may have been sent for, one is right.
            if let known, check == .code, kept.notes[known].holds { return }
            if let known { kept.notes.remove(at: known) }
            kept.notes.append(note)
        }
    }

    /// Says what the route will look at from here on, in its order.
    static func expect(_ checks: [Check]) {
        current?.kept.withLock { kept in kept.plan += checks.filter { !kept.plan.contains($0) } }
    }

    /// Whether the route looks at it.
    static func expects(_ check: Check) -> Bool {
        current?.kept.withLock { $0.plan.contains(check) } ?? false
    }

    /// Says on which of these the refusal rests: the first that was seen not
    /// to hold, else the last.
    static func blame(_ checks: [Check]) { current?.kept.withLock { $0.blamed = checks } }
}
