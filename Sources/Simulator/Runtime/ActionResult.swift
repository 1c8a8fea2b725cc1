package import Apps

/// The result of an action or a launch.
package struct ActionResult: Sendable, Equatable {
    /// The screen to show now, with its errors, toast and values.
    package var screen: String
    package var succeeded: Bool
    /// The manifest's failure row that a failed call's response matched, if any.
    package var matchedFailure: Call.Failure?

    package init(screen: String, succeeded: Bool, matchedFailure: Call.Failure? = nil) {
        self.screen = screen
        self.succeeded = succeeded
        self.matchedFailure = matchedFailure
    }

    /// Ignores `matchedFailure`: it is the reason, not the result.
    package static func == (lhs: ActionResult, rhs: ActionResult) -> Bool {
        lhs.screen == rhs.screen && lhs.succeeded == rhs.succeeded
    }
}
