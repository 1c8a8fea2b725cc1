import Backend
package import FoundationEssentials
package import Simulator

/// A sign-in and the refreshes that followed it, in the device's order.
package struct Family: Equatable, Sendable {
    package var nodes: [Node] = []
    package var branches: [Branch] = []
    package var end: End?

    /// A generation the device held.
    package struct Node: Equatable, Sendable {
        /// Position in the family as the device counts, from 1.
        package var generation: Int
        /// The server's count; nil if unknown.
        var serverGeneration: Int?
        package var title: String
        package var at: Date
        /// The refresh token, masked; nil if none is stored.
        package var masked: String?
        package var kind: Kind
        package var usedAt: Date?
        package var reusedAt: Date?
        package var exchange: String?

        package enum Kind: String, Sendable {
            case used, current
            case ended
        }

        /// `server #4`; nil if both counts are equal.
        package var serverLabel: String? {
            serverGeneration == generation ? nil : serverGeneration.map(Lineage.serverLabel)
        }
    }

    /// A use of a generation that did not lead to the device's next one.
    package struct Branch: Equatable, Sendable {
        /// The generation of the node it starts from.
        package var generation: Int
        package var title: String
        package var note: String
        package var at: Date
        /// Whether the server ended the family because of it.
        package var endsFamily: Bool
        /// Whether it brought tokens.
        package var isAccepted: Bool
        /// The refresh token it brought, if one is stored.
        package var result: TokenGenerations.GenerationName?
        package var text: String
        package var exchange: String?

        /// A result that the device does not hold. Two clients may receive the same token.
        package var unheldResult: TokenGenerations.GenerationName? {
            result.flatMap { $0.letter.isEmpty ? nil : $0 }
        }
    }

    /// Why the family ended.
    package struct End: Equatable, Sendable {
        package var title: String
        package var at: Date
        package var reason: String?
        package var isRevoked: Bool
    }
}
