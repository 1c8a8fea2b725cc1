/// One call to a backend: how it is asked and how its answer is read.
package struct Call: Sendable, Equatable {
    package var request: RequestTemplate
    package var success: Success
    /// In order; the first that matches wins.
    package var failures: [Failure]
    /// Pointers to the backend's own message, for failures nobody matched.
    package var messagePointers: [String]
    /// Field to pointers to what the backend says of it, for failures nobody
    /// matched; what is found stands below its field instead of a message.
    package var fieldMessagePointers: [String: [String]]
    /// Errors are never shown and stop nothing.
    package var isBestEffort: Bool
    /// Attempts after the first; nil are the network's.
    package var retries: Int?
    /// Names in memory to the values its success leaves there.
    package var valuesToRemember: [String: String]

    /// What makes an answer a success.
    package struct Success: Sendable, Equatable {
        /// Statuses; empty means 200 … 299.
        package var status: [Int]
        /// Name to JSON Pointers (RFC 6901); the first that resolves wins.
        /// `/` alone is the whole document.
        package var capturePointers: [String: [String]]
        /// Captured names without which the answer is invalid.
        package var requiredNames: [String]
        /// What the body is: JSON, or text or nothing at all.
        package var body: Body
        /// Pointer to expected value, as in a failure; an answer that lacks
        /// one of them is a failure whatever its status.
        package var `expectedValues`: [String: String]

        package enum Body: String, Sendable, CaseIterable { case json, text, empty, any }
    }

    /// A failure the app knows, and what it does about it.
    ///
    /// A 401 that a row matches is that failure; one that no row matches
    /// means that the token died and may be refreshed, as a row can say of
    /// another answer.
    package struct Failure: Sendable, Equatable {
        /// Empty matches every status.
        package var status: [Int]
        /// Pointer to expected value; a trailing `*` matches by prefix.
        package var `expectedValues`: [String: String]
        /// What the user reads; `{status}`, `{message}` (the backend's own)
        /// and held names are filled.
        package var message: String?
        /// The field it belongs to, if it is a field's error.
        package var field: String?
        /// The screen it leads to.
        package var destination: String?
        /// A name for the launch table's `otherwise`: `unverified` …
        package var kind: String?
        /// What it says of the session of a call that carries a token.
        package var sessionEffect: SessionEffect?
        /// Taken for a success that brings nothing, so that the screen says
        /// the same: nobody learns who has an account.
        package var treatAsSuccess: Bool

        package enum SessionEffect: String, Sendable, CaseIterable {
            /// The token died: refresh and make the call again, as at a 401.
            case refresh = "renew"
            /// It is over, whatever the refresh token says.
            case expired = "lost"
        }
    }
}
