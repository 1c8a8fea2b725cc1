import Apps
import FoundationEssentials
import Simulator

/// What came of playing one state of a screen.
struct Scene: Sendable {
    var ending: Ending
    /// How it was reached, or what was tried last.
    var steps: [Step]
    /// On the real clock.
    var playedAt: Date

    enum Ending: Sendable {
        case reached(Shot)
        /// Why not, in a sentence.
        case unreachable(reason: String)
    }

    /// A moment of a screen, ready to be drawn again and again.
    struct Shot: Sendable {
        var situation: Situation
        /// The action whose question stands over the screen.
        var confirming: String?
        /// The action that is under way.
        var loading: String?
    }

    /// `Fill Email, Password` on `login`.
    struct Step: Sendable, Equatable {
        var what: String
        /// Where, or by which means: a screen, `workspace`, `condition`.
        var detail: String
    }

    /// A state by its address.
    struct Key: Hashable, Sendable {
        var screen: String
        var state: String
    }

    /// Why it was not reached.
    var reason: String? { if case .unreachable(let reason) = ending { reason } else { nil } }

    var isReached: Bool { if case .reached = ending { true } else { false } }
}
