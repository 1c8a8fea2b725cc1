import Backend
import FoundationEssentials
import Simulator

/// A sign-in and the refreshes that followed it, in the device's order.
struct Family: Equatable, Sendable {
    var nodes: [Node] = []
    var branches: [Branch] = []
    var end: End?

    /// A generation the device held.
    struct Node: Equatable, Sendable {
        /// Position in the family as the device counts, from 1.
        var generation: Int
        /// The server's count; nil if unknown.
        var serverGeneration: Int?
        var title: String
        var at: Date
        /// The refresh token, masked; nil if none is stored.
        var masked: String?
        var kind: Kind
        var usedAt: Date?
        var reusedAt: Date?
        var exchange: String?

        enum Kind: String, Sendable {
            case used, current
            case ended
        }

        /// `server #4`; nil if both counts are equal.
        var serverLabel: String? {
            serverGeneration == generation ? nil : serverGeneration.map(Lineage.serverLabel)
        }
    }

    /// A use of a generation that did not lead to the device's next one.
    struct Branch: Equatable, Sendable {
        /// The generation of the node it starts from.
        var generation: Int
        var title: String
        var note: String
        var at: Date
        /// Whether the server ended the family because of it.
        var endsFamily: Bool
        /// Whether it brought tokens.
        var isAccepted: Bool
        /// The refresh token it brought, if one is stored.
        var result: TokenGenerations.GenerationName?
        var text: String
        var exchange: String?

        /// A result that the device does not hold. Two clients may receive the same token.
        var unheldResult: TokenGenerations.GenerationName? {
            result.flatMap { $0.letter.isEmpty ? nil : $0 }
        }
    }

    /// Why the family ended.
    struct End: Equatable, Sendable {
        var title: String
        var at: Date
        var reason: String?
        var isRevoked: Bool
    }
}
