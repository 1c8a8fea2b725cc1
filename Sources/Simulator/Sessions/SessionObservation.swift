package import FoundationEssentials
package import Web

/// What a backend let be known of a session when a call carried its access
/// token.
package struct SessionObservation: Sendable, Equatable {
    /// By the workspace's clock.
    package var at: Date
    /// By the real one: how old it is must not change with the workspace's.
    package var observedAt: Date
    package var exchange: String
    /// The call's name in the manifest.
    package var call: String
    /// Nil if there was no answer.
    package var status: Int?
    /// Whether the token was taken; nil where the answer does not say.
    package var isAccepted: Bool?
    /// What was captured from the answer, tokens aside.
    package var capturedValues: [String: JSON]
    /// How long it took, in milliseconds.
    package var totalMilliseconds: Double
    /// Whose token it was, by its masked value.
    package var maskedToken: String
    /// Whether somebody asked for it, and no app.
    package var isProbe: Bool
    /// Whether the session was over when this was asked, here or for its
    /// server; nil where nobody looked.
    package var hadEnded: Bool?
}
