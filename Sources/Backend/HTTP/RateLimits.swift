import Core
import Synchronization

/// Recent occurrences per realm and subject, counted for rate limits.
///
/// In memory only, and bounded per realm, so that many subjects in one realm evict none of another.
/// When a realm is full, the subjects queried least recently are evicted.
package final class RateLimits: Sendable {
    private let tables = Mutex<[Realm: Table]>([:])

    private typealias Table = LRUCache<Key, [Timestamp]>

    /// The most subjects tracked per realm.
    private static let maxSubjectsPerRealm = 10_000

    private struct Key: Hashable {
        var limit: RateLimit
        var subject: String
    }

    /// When the next occurrence of `subject` is allowed; nil if it is allowed now.
    package func nextAllowedAt(
        _ limit: RateLimit, of subject: String, in realm: Realm, at now: Timestamp
    ) -> Timestamp? { check(limit, of: subject, in: realm, at: now, isCounted: false) }

    /// Counts an occurrence of `subject`, unless the limit is reached: then returns when the next
    /// is allowed.
    package func consume(_ limit: RateLimit, of subject: String, in realm: Realm, at now: Timestamp)
        -> Timestamp?
    { check(limit, of: subject, in: realm, at: now, isCounted: true) }

    private func check(
        _ limit: RateLimit, of subject: String, in realm: Realm, at now: Timestamp, isCounted: Bool
    ) -> Timestamp? {
        let key = Key(limit: limit, subject: subject)
        let (allowedAt, count) = tables.withLock { tablesByRealm -> (Timestamp?, Int) in
            let occurrences = tablesByRealm[realm]?.value(for: key) ?? []
            let allowedAt = Self.nextAllowedAt(limit, occurrences, at: now)
            guard isCounted, allowedAt == nil else { return (allowedAt, occurrences.count) }
            let (updated, count) = Self.count(limit, occurrences, at: now)
            tablesByRealm[realm, default: Table(capacity: Self.maxSubjectsPerRealm)].set(
                key, updated)
            return (nil, count)
        }
        Self.trace(limit, count, nextAllowedAt: allowedAt, at: now)
        return allowedAt
    }

    /// `3rd of 5 failed logins in 15 min`.
    private static func trace(
        _ limit: RateLimit, _ count: Int, nextAllowedAt allowedAt: Timestamp?, at now: Timestamp
    ) {
        let limitText =
            limit.burst.map { "\($0) \(limit.name) at once" }
            ?? "\(limit.count) \(limit.name) in " + now.durationText(to: now + limit.window)
        if let allowedAt {
            CheckTrace.record(
                .rateLimit, false,
                "limit of \(limitText) reached; retry in \(now.durationText(to: allowedAt))")
        } else {
            CheckTrace.record(
                .rateLimit, true, count == 0 ? "" : "\(count.ordinal) of \(limitText)")
        }
    }

    /// Clears the count of `subject`.
    package func clear(_ limit: RateLimit, of subject: String, in realm: Realm) {
        let key = Key(limit: limit, subject: subject)
        tables.withLock { $0[realm]?.set(key, nil) }
    }

    /// Clears all counts of a realm, after its data was restored or deleted.
    package func clear(_ realm: Realm) { tables.withLock { $0[realm] = nil } }

    /// Clears all counts of a workspace.
    func clear(workspace: String) {
        tables.withLock { tablesByRealm in
            tablesByRealm = tablesByRealm.filter { $0.key.workspace != workspace }
        }
    }

    /// The stored times with another occurrence, and how many of them count.
    private static func count(_ limit: RateLimit, _ stored: [Timestamp], at now: Timestamp) -> (
        times: [Timestamp], count: Int
    ) {
        guard let burst = limit.burst else {
            let times = stored.suffix(limit.count - 1) + [now]
            return (Array(times), times.count { $0 > now - limit.window })
        }
        let isFullAt = fullAt(limit, burst, stored, at: now) + limit.interval
        let missing = isFullAt.milliseconds - now.milliseconds
        return ([isFullAt], Int((missing - 1) / limit.interval.milliseconds) + 1)
    }

    /// When a limit with a burst allows the whole burst again: the one time that it stores. A later
    /// one than that of an empty bucket does not count: the clock was set back.
    private static func fullAt(
        _ limit: RateLimit, _ burst: Int, _ stored: [Timestamp], at now: Timestamp
    ) -> Timestamp {
        guard let time = stored.first, time > now, time <= now + limit.interval * burst else {
            return now
        }
        return time
    }

    private static func nextAllowedAt(
        _ limit: RateLimit, _ occurrences: [Timestamp], at now: Timestamp
    ) -> Timestamp? {
        if let burst = limit.burst {
            let allowedAt =
                fullAt(limit, burst, occurrences, at: now) - limit.interval * (burst - 1)
            return now < allowedAt ? allowedAt : nil
        }
        // Occurrences after `now` do not count: the clock was set back.
        let past = occurrences.filter { $0 <= now }
        guard past.count >= limit.count, let oldest = past.suffix(limit.count).first else {
            return nil
        }
        let allowedAt = oldest + limit.window
        return now < allowedAt ? allowedAt : nil
    }
}

/// A limit on occurrences: as many as `count` within a sliding window, or, with a burst, a token
/// bucket that `count` per window refill.
package struct RateLimit: Sendable, Hashable {
    /// What is counted; each limit has its own counts.
    let name: String
    package let count: Int
    package let window: Duration
    /// How many the bucket holds; nil for a sliding window.
    let burst: Int?

    package init(name: String, count: Int, window: Duration, burst: Int? = nil) {
        self.name = name
        self.count = count
        self.window = window
        self.burst = burst
    }

    /// How long the bucket takes for one more.
    fileprivate var interval: Duration { window / count }
}
