import Core

/// A limit on occurrences within a sliding window.
struct RateLimit: Sendable, Hashable {
    /// What is counted; each limit has its own counts.
    let name: String
    let count: Int
    let window: Duration
}
