import Backend
import Simulator

/// A session's generations, as its device counts them, with what the server
/// says of each: it counts every token it ever gave, so that its numbers run
/// ahead of the device's once a refresh led elsewhere.
struct Lineage: Sendable {
    let generations: TokenGenerations
    private let serverToken: [TokenGenerations.GenerationName: EmbeddedBackend.RefreshTokenInfo]

    /// `truth` was asked of the generations' tokens, in their order.
    init(_ generations: TokenGenerations, sessionState: ServerSessionState?) {
        self.generations = generations
        serverToken = Dictionary(
            zip(generations.tokens, sessionState?.requestedTokens ?? []).compactMap {
                named, asked in
                asked.map { (named.name, $0) }
            }, uniquingKeysWith: { $1 })
    }

    func serverToken(_ name: TokenGenerations.GenerationName?) -> EmbeddedBackend.RefreshTokenInfo?
    {
        name.flatMap { serverToken[$0] }
    }

    /// `2`, or `2, the server's 3` where that counts otherwise.
    static func label(_ here: Int, server: Int?) -> String {
        server == nil || server == here ? String(here) : "\(here), \(serverLabel(server ?? here))"
    }

    /// The device's generation now.
    var currentLabel: String {
        Self.label(
            generations.currentGeneration,
            server: serverToken(
                generations.deviceToken(ofGeneration: generations.currentGeneration)?.name)?
                .generation)
    }

    static func serverLabel(_ number: Int) -> String { "the server's \(number)" }
}
