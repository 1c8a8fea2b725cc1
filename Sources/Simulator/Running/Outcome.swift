/// What an action or a launch came to.
package struct Outcome: Sendable, Equatable {
    /// The screen to show now; it holds errors, toast and values.
    package var screen: String
    /// Whether the action succeeded.
    package var succeeded: Bool

    package init(screen: String, succeeded: Bool) {
        self.screen = screen
        self.succeeded = succeeded
    }
}
