package import Backend
package import Simulator

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
