import Apps
import FoundationEssentials
import Simulator

/// What came of playing one state of a screen.
struct StateRecording: Sendable {
    var outcome: Outcome
    /// How it was reached, or what was tried last.
    var steps: [Step]
    /// On the real clock.
    var playedAt: Date

    enum Outcome: Sendable {
        case reached(ScreenCapture)
        /// Why not, in a sentence.
        case unreachable(reason: String)
    }

    /// A moment of a screen, ready to be drawn again and again.
    struct ScreenCapture: Sendable {
        var status: AppStatus
        /// The action whose question stands over the screen.
        var confirmingAction: String?
        /// The action that is under way.
        var loadingAction: String?
    }

    /// `Fill Email, Password` on `login`.
    struct Step: Sendable, Equatable {
        var instruction: String
        /// Where, or by which means: a screen, `workspace`, `condition`.
        var detail: String
    }

    /// A state by its address.
    struct Key: Hashable, Sendable {
        var screen: String
        var state: String
    }

    /// Why it was not reached.
    var unreachableReason: String? {
        if case .unreachable(let reason) = outcome { reason } else { nil }
    }

    var isReached: Bool { if case .reached = outcome { true } else { false } }
}
