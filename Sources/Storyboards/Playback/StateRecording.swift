package import FoundationEssentials
package import Simulator

/// The recorded playback of one state of a screen.
package struct StateRecording: Sendable {
    package var outcome: Outcome
    /// The steps that reached the state, or those of the first failed attempt.
    package var steps: [Step]
    /// On the system clock.
    package var playedAt: Date

    package enum Outcome: Sendable {
        case reached(ScreenCapture)
        /// `reason` is a sentence.
        case unreachable(reason: String)
    }

    /// `Fill Email, Password` on `login`.
    package struct Step: Encodable, Sendable {
        /// From 1.
        var number: Int
        package var instruction: String
        /// Where or by what: a screen, `workspace`, `fault`.
        var detail: String
    }

    /// Why the state was not reached; nil if it was.
    package var unreachableReason: String? {
        if case .unreachable(let reason) = outcome { reason } else { nil }
    }

    package var isReached: Bool { if case .reached = outcome { true } else { false } }
}

/// A captured status of a screen, which can be rendered repeatedly.
package struct ScreenCapture: Sendable {
    package var status: AppStatus
    /// The action whose confirmation is open.
    package var confirmingAction: String?
    /// The action that is in progress.
    package var loadingAction: String?
}
