import Backend
import Simulator

/// A session's generations, as its device counts them, with what the server
/// says of each: it counts every token it ever gave, so that its numbers run
/// ahead of the device's once a refresh led elsewhere.
struct Lineage: Sendable {
    let generations: Generations
    private let known: [Generations.Name: EmbeddedBackend.KnownRefreshToken]

    /// `truth` was asked of the generations' tokens, in their order.
    init(_ generations: Generations, truth: Truth?) {
        self.generations = generations
        known = Dictionary(
            zip(generations.tokens, truth?.asked ?? []).compactMap { named, asked in
                asked.map { (named.name, $0) }
            }, uniquingKeysWith: { $1 })
    }

    func known(_ name: Generations.Name?) -> EmbeddedBackend.KnownRefreshToken? {
        name.flatMap { known[$0] }
    }

    /// `2`, or `2, the server's 3` where that counts otherwise.
    static func words(_ here: Int, server: Int?) -> String {
        server == nil || server == here ? String(here) : "\(here), \(theirs(server ?? here))"
    }

    /// The device's generation now.
    var current: String {
        Self.words(
            generations.current,
            server: known(generations.own(generations.current)?.name)?.generation)
    }

    static func theirs(_ number: Int) -> String { "the server's \(number)" }
}
