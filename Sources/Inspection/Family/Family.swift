package import Backend
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

        /// Whether the generation was replaced, is held, or ended with the session.
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

/// A session's generations as its device counts them, with the server's information about each.
///
/// The server counts every token it issued, so its numbers are ahead of the device's after a
/// refresh by another client.
package struct Lineage: Sendable {
    package let generations: TokenGenerations
    private let serverToken: [TokenGenerations.GenerationName: EmbeddedBackend.RefreshTokenInfo]

    /// `sessionState` has the server's information about the tokens of `generations`, in their
    /// order.
    package init(_ generations: TokenGenerations, sessionState: ServerSessionState?) {
        self.generations = generations
        serverToken = Dictionary(
            zip(generations.tokens, sessionState?.requestedTokens ?? []).compactMap { named, info in
                info.map { (named.name, $0) }
            }, uniquingKeysWith: { $1 })
    }

    package func serverToken(_ name: TokenGenerations.GenerationName?) -> EmbeddedBackend
        .RefreshTokenInfo?
    { name.flatMap { serverToken[$0] } }

    /// `2`, or `2, server #3` if the server's count differs.
    package static func label(_ generation: Int, server: Int?) -> String {
        server == nil || server == generation
            ? String(generation) : "\(generation), \(serverLabel(server ?? generation))"
    }

    /// Label of the device's current generation.
    package var currentLabel: String {
        Self.label(
            generations.currentGeneration,
            server: serverToken(
                generations.deviceToken(ofGeneration: generations.currentGeneration)?.name)?
                .generation)
    }

    package static func serverLabel(_ number: Int) -> String { "server #\(number)" }
}
