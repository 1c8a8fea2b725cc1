/// One call to a backend: its request and how its response is interpreted.
package struct Call: Sendable, Equatable {
    package var request: RequestTemplate
    package var success: Success
    /// In order; the first that matches wins.
    package var failures: [Failure]
    /// Pointers to the backend's own message, for failures that match no row.
    package var messagePointers: [String]
    /// Pointers to the backend's message for a field, by field, for failures that match no row. A
    /// message found is shown below its field instead of the general one.
    package var fieldMessagePointers: [String: [String]]
    /// Errors are neither shown nor stop the action.
    package var isBestEffort: Bool
    /// Attempts after the first; nil uses the network's value.
    package var retries: Int?
    /// Values that a success stores in memory, by name.
    package var valuesToRemember: [String: String]

    /// The criteria of a successful response.
    package struct Success: Sendable, Equatable {
        /// Statuses; empty means 200 … 299.
        package var status: [Int]
        /// JSON Pointers (RFC 6901) by name; the first that resolves wins. `/` alone is the root
        /// document.
        package var capturePointers: [String: [String]]
        /// Captured names without which the response is invalid.
        package var requiredNames: [String]
        /// The format of the body.
        package var body: Body
        /// Expected values by pointer, as in a failure. A response without one of them is a failure
        /// whatever its status.
        package var `expectedValues`: [String: String]

        package enum Body: String, Sendable, CaseIterable { case json, text, empty, any }
    }

    /// A failure the app recognizes, and its effect.
    ///
    /// A 401 that matches a row is that failure. An unmatched 401 means that the access token is no
    /// longer valid and may be refreshed; a row can declare the same for another response.
    package struct Failure: Sendable, Equatable {
        /// Empty matches every status.
        package var status: [Int]
        /// Expected values by pointer; a trailing `*` matches by prefix.
        package var `expectedValues`: [String: String]
        /// Shown to the user; `{status}`, `{message}` (the backend's own) and stored names are
        /// replaced.
        package var message: String?
        /// The field that shows the error, if any.
        package var field: String?
        /// The screen to navigate to.
        package var destination: String?
        /// A key of the launch table's `otherwise`: `unverified` …
        package var kind: String?
        /// The effect on the session of a call that carries a token.
        package var sessionEffect: SessionEffect?
        /// Treated as a success without captured values. The screen then does not reveal whether an
        /// account exists.
        package var treatAsSuccess: Bool

        package enum SessionEffect: String, Sendable, CaseIterable {
            /// The token is no longer valid: refresh it and repeat the call, as after a 401.
            case refresh
            /// The session is over, whatever the refresh token's state.
            case expired
        }
    }
}
