import Backend
import FoundationEssentials
import Simulator

/// A sign-in and what descended from it by refreshing, in the device's order.
struct Family: Equatable, Sendable {
    var nodes: [Node] = []
    var branches: [Branch] = []
    var end: End?

    /// A generation the device held.
    struct Node: Equatable, Sendable {
        /// Its place in the family as the device counts, from 1.
        var generation: Int
        /// As the server counts; the same where nobody knows better.
        var number: Int
        var title: String
        var at: Date
        /// The refresh token, masked; nil where none is kept.
        var masked: String?
        var kind: Kind
        var usedAt: Date?
        var reusedAt: Date?
        var exchange: String?

        enum Kind: String, Sendable { case used, current, dead }
    }

    /// A use of a generation that led elsewhere.
    struct Branch: Equatable, Sendable {
        /// Of the node it left.
        var generation: Int
        var title: String
        var note: String
        var at: Date
        /// Whether the server ended the family because of it.
        var isFatal: Bool
        /// Whether it brought tokens.
        var isTaken: Bool { made != nil }
        /// The generation the server made of it, which the device never held.
        var made: Int?
        var words: String
        var exchange: String?
    }

    /// Why nothing follows any more.
    struct End: Equatable, Sendable {
        var title: String
        var at: Date
        var because: String?
        var isRevoked: Bool
    }
}
