import FoundationEssentials

/// What is known of a tile that was played.
struct Played: Sendable {
    /// Why its state cannot be reached; nil for one that was.
    var reason: String?
    /// How it is reached, in order.
    var steps: [Step]
    var at: Date

    struct Step: Sendable {
        /// `Fill e-mail, password`.
        var what: String
        /// `login`.
        var detail: String
    }

    struct Key: Hashable, Sendable {
        var screen: String
        var state: String
    }
}
