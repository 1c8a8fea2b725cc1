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
        /// As the server counts; nil where nobody knows.
        var serverGeneration: Int?
        var title: String
        var at: Date
        /// The refresh token, masked; nil where none is kept.
        var masked: String?
        var kind: Kind
        var usedAt: Date?
        var reusedAt: Date?
        var exchange: String?

        enum Kind: String, Sendable {
            case used, current
            case ended = "dead"
        }

        /// `the server's 4`; nil where both count alike.
        var serverLabel: String? {
            serverGeneration == generation ? nil : serverGeneration.map(Lineage.serverLabel)
        }
    }

    /// A use of a generation that led elsewhere.
    struct Branch: Equatable, Sendable {
        /// Of the node it left.
        var generation: Int
        var title: String
        var note: String
        var at: Date
        /// Whether the server ended the family because of it.
        var endsFamily: Bool
        /// Whether it brought tokens.
        var isAccepted: Bool
        /// The refresh token that came of it, where one is kept.
        var result: TokenGenerations.GenerationName?
        var text: String
        var exchange: String?

        /// What it brought that the device does not hold: two tabs may be
        /// given the same token.
        var unheldResult: TokenGenerations.GenerationName? {
            result.flatMap { $0.letter.isEmpty ? nil : $0 }
        }
    }

    /// Why nothing follows any more.
    struct End: Equatable, Sendable {
        var title: String
        var at: Date
        var reason: String?
        var isRevoked: Bool
    }
}
