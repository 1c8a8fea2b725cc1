package import Apps

/// What an action or a launch came to.
package struct ActionResult: Sendable, Equatable {
    /// The screen to show now; it holds errors, toast and values.
    package var screen: String
    /// Whether the action succeeded.
    package var succeeded: Bool
    /// The manifest's row that a call's answer matched, if one failed and one
    /// did.
    package var matchedFailure: Call.Failure?

    package init(screen: String, succeeded: Bool, matchedFailure: Call.Failure? = nil) {
        self.screen = screen
        self.succeeded = succeeded
        self.matchedFailure = matchedFailure
    }

    /// It came to the same, whatever the reason: the row tells why, not what.
    package static func == (one: ActionResult, other: ActionResult) -> Bool {
        one.screen == other.screen && one.succeeded == other.succeeded
    }
}
