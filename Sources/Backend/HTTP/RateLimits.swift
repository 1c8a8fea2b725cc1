import Synchronization

/// What happened lately, by realm and by whom, for limits on it.
///
/// It is forgotten when the process ends, and bounded in each realm, so that
/// a crowd in one pushes nobody out of another: of too many subjects those go
/// first that were silent longest.
final class RateLimits: Sendable {
    private let tables = Mutex<[Realm: Table]>([:])

    private typealias Table = [Key: [Timestamp]]

    /// Subjects of one realm remembered at once.
    private static let maxSubjectsPerRealm = 10_000

    private struct Key: Hashable {
        var limit: RateLimit
        var subject: String
    }

    /// When the next of `subject` is free; nil if it is now.
    func nextAllowedAt(_ limit: RateLimit, of subject: String, in realm: Realm, at now: Timestamp)
        -> Timestamp?
    {
        let key = Key(limit: limit, subject: subject)
        let (end, count) = tables.withLock { seen in
            let moments = seen[realm]?[key] ?? []
            return (Self.nextAllowedAt(limit, moments, at: now), moments.count)
        }
        Self.trace(limit, count, nextAllowedAt: end, at: now)
        return end
    }

    /// Counts one more of `subject`, unless there were too many: then gives
    /// when the next is free.
    func consume(_ limit: RateLimit, of subject: String, in realm: Realm, at now: Timestamp)
        -> Timestamp?
    {
        let key = Key(limit: limit, subject: subject)
        let (end, count) = tables.withLock { seen -> (Timestamp?, Int) in
            let moments = seen[realm]?[key] ?? []
            if let end = Self.nextAllowedAt(limit, moments, at: now) { return (end, moments.count) }
            if moments.isEmpty { Self.evictOldest(in: &seen[realm, default: [:]]) }
            let since = now - limit.window
            let counted = moments.suffix(limit.count - 1) + [now]
            seen[realm, default: [:]][key] = Array(counted)
            return (nil, counted.count { $0 > since })
        }
        Self.trace(limit, count, nextAllowedAt: end, at: now)
        return end
    }

    /// `3rd of 5 failed logins in 15 min`.
    private static func trace(
        _ limit: RateLimit, _ count: Int, nextAllowedAt end: Timestamp?, at now: Timestamp
    ) {
        let whole = "\(limit.count) \(limit.name) in " + now.durationText(to: now + limit.window)
        if let end {
            CheckTrace.record(
                .rateLimit, false, "all \(whole) used; free in \(now.durationText(to: end))")
        } else {
            CheckTrace.record(.rateLimit, true, count == 0 ? "" : "\(count.ordinal) of \(whole)")
        }
    }

    /// Forgets what was counted of `subject`.
    func clear(_ limit: RateLimit, of subject: String, in realm: Realm) {
        let key = Key(limit: limit, subject: subject)
        tables.withLock { _ = $0[realm]?.removeValue(forKey: key) }
    }

    /// One contract of a workspace is as it was once: nothing was counted.
    func clear(_ realm: Realm) { tables.withLock { $0[realm] = nil } }

    /// An emptied workspace has done nothing yet.
    func clear(workspace: String) {
        tables.withLock { seen in seen = seen.filter { $0.key.workspace != workspace } }
    }

    /// How many subjects are remembered.
    var subjectCount: Int { tables.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    private static func nextAllowedAt(_ limit: RateLimit, _ moments: [Timestamp], at now: Timestamp)
        -> Timestamp?
    {
        // Of a clock that was set back, what is still to come does not count.
        let past = moments.filter { $0 <= now }
        guard past.count >= limit.count, let oldest = past.suffix(limit.count).first else {
            return nil
        }
        let end = oldest + limit.window
        return now < end ? end : nil
    }

    /// Keeps the newer half of a full table, whatever their moments are.
    private static func evictOldest(in table: inout Table) {
        guard table.count >= maxSubjectsPerRealm else { return }
        let newest = table.sorted {
            guard let one = $0.value.last, let other = $1.value.last else {
                return !$0.value.isEmpty
            }
            return one > other
        }
        table = Dictionary(
            uniqueKeysWithValues: newest.prefix(maxSubjectsPerRealm / 2).map { ($0.key, $0.value) })
    }
}
