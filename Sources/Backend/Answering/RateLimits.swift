import Synchronization

/// What happened lately, by realm and by whom, for limits on it.
///
/// It is forgotten when the process ends, and bounded: of too many subjects
/// those go first that were silent longest.
final class RateLimits: Sendable {
    private let seen = Mutex<[Key: [Moment]]>([:])

    /// Subjects remembered at once.
    private static let bound = 10_000

    private struct Key: Hashable {
        var limit: RateLimit
        var realm: Realm
        var subject: String
    }

    /// When the next of `subject` is free; nil if it is now.
    func freeAt(
        _ limit: RateLimit, of subject: String, in realm: Realm,
        at now: Moment
    ) -> Moment? {
        let key = Key(limit: limit, realm: realm, subject: subject)
        return seen.withLock { Self.freeAt(limit, $0[key] ?? [], at: now) }
    }

    /// Counts one more of `subject`, unless there were too many: then gives
    /// when the next is free.
    func take(
        _ limit: RateLimit, of subject: String, in realm: Realm,
        at now: Moment
    ) -> Moment? {
        let key = Key(limit: limit, realm: realm, subject: subject)
        return seen.withLock { seen in
            let moments = seen[key] ?? []
            if let end = Self.freeAt(limit, moments, at: now) { return end }
            if seen.count >= Self.bound, moments.isEmpty {
                Self.makeRoom(in: &seen)
            }
            seen[key] = moments.suffix(limit.count - 1) + [now]
            return nil
        }
    }

    /// Forgets what was counted of `subject`.
    func clear(_ limit: RateLimit, of subject: String, in realm: Realm) {
        let key = Key(limit: limit, realm: realm, subject: subject)
        seen.withLock { _ = $0.removeValue(forKey: key) }
    }

    /// An emptied workspace has done nothing yet.
    func forget(workspace: String) {
        seen.withLock { seen in
            seen = seen.filter { $0.key.realm.workspace != workspace }
        }
    }

    /// How many subjects are remembered.
    var count: Int { seen.withLock { $0.count } }

    private static func freeAt(
        _ limit: RateLimit, _ moments: [Moment], at now: Moment
    ) -> Moment? {
        guard moments.count >= limit.count,
            let oldest = moments.suffix(limit.count).first
        else { return nil }
        let end = oldest + limit.window
        return now < end ? end : nil
    }

    private static func makeRoom(in seen: inout [Key: [Moment]]) {
        let ages = seen.compactMap(\.value.last).sorted()
        let middle = ages[ages.count / 2]
        seen = seen.filter { ($0.value.last ?? middle) > middle }
    }
}
