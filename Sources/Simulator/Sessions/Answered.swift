package import FoundationEssentials
package import Web

/// What a backend let be known of a session when a call carried its access
/// token.
package struct Answered: Sendable, Equatable {
    package var at: Date
    package var exchange: String
    /// The call's name in the manifest.
    package var call: String
    /// Nil if there was no answer.
    package var status: Int?
    /// Whether the token was taken; nil where the answer does not say.
    package var isAccepted: Bool?
    /// What was captured from the answer, tokens aside.
    package var facts: [String: JSON]
    /// How long it took, in milliseconds.
    package var total: Double
    /// Whose token it was, by its masked value.
    package var masked: String
    /// Whether somebody asked for it, and no app.
    package var isProbe: Bool
}
