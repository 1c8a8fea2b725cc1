import Backend
import Simulator

/// A session's generations as its device counts them, with the server's information about each.
///
/// The server counts every token it issued, so its numbers are ahead of the device's after a
/// refresh by another client.
struct Lineage: Sendable {
    let generations: TokenGenerations
    private let serverToken: [TokenGenerations.GenerationName: EmbeddedBackend.RefreshTokenInfo]

    /// `sessionState` has the server's information about the tokens of `generations`, in their
    /// order.
    init(_ generations: TokenGenerations, sessionState: ServerSessionState?) {
        self.generations = generations
        serverToken = Dictionary(
            zip(generations.tokens, sessionState?.requestedTokens ?? []).compactMap {
                named, info in
                info.map { (named.name, $0) }
            }, uniquingKeysWith: { $1 })
    }

    func serverToken(_ name: TokenGenerations.GenerationName?) -> EmbeddedBackend.RefreshTokenInfo?
    {
        name.flatMap { serverToken[$0] }
    }

    /// `2`, or `2, server #3` if the server's count differs.
    static func label(_ generation: Int, server: Int?) -> String {
        server == nil || server == generation
            ? String(generation) : "\(generation), \(serverLabel(server ?? generation))"
    }

    /// Label of the device's current generation.
    var currentLabel: String {
        Self.label(
            generations.currentGeneration,
            server: serverToken(
                generations.deviceToken(ofGeneration: generations.currentGeneration)?.name)?
                .generation)
    }

    static func serverLabel(_ number: Int) -> String { "server #\(number)" }
}
