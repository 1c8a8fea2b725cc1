import Core

/// How often something may happen in a while that slides along.
struct RateLimit: Sendable, Hashable {
    /// What is counted; its counts are its own.
    let name: String
    let count: Int
    let window: Duration
}
