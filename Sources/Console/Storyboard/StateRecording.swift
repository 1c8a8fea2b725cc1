import Apps
import FoundationEssentials
import Simulator

/// The recorded playback of one state of a screen.
struct StateRecording: Sendable {
    var outcome: Outcome
    /// The steps that reached the state, or those of the first failed attempt.
    var steps: [Step]
    /// On the system clock.
    var playedAt: Date

    enum Outcome: Sendable {
        case reached(ScreenCapture)
        /// `reason` is a sentence.
        case unreachable(reason: String)
    }

    /// A captured status of a screen, which can be rendered repeatedly.
    struct ScreenCapture: Sendable {
        var status: AppStatus
        /// The action whose confirmation is open.
        var confirmingAction: String?
        /// The action that is in progress.
        var loadingAction: String?
    }

    /// `Fill Email, Password` on `login`.
    struct Step: Sendable, Equatable {
        var instruction: String
        /// Where or by what: a screen, `workspace`, `condition`.
        var detail: String
    }

    /// Identifies a state within an app.
    struct Key: Hashable, Sendable {
        var screen: String
        var state: String
    }

    /// Why the state was not reached; nil if it was.
    var unreachableReason: String? {
        if case .unreachable(let reason) = outcome { reason } else { nil }
    }

    var isReached: Bool { if case .reached = outcome { true } else { false } }
}
