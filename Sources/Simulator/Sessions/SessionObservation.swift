package import FoundationEssentials
package import Web

/// What a backend's response to a call with an access token reveals about its session.
package struct SessionObservation: Sendable, Equatable {
    /// By the workspace's clock.
    package var at: Date
    /// By the system clock: its age must not change with the workspace's clock.
    package var observedAt: Date
    package var exchange: String
    /// The call's name in the manifest.
    package var call: String
    /// Nil without a response.
    package var status: Int?
    /// Whether the token was accepted; nil if the response does not show it.
    package var isAccepted: Bool?
    /// Values captured from the response, without tokens.
    package var capturedValues: [String: JSON]
    /// Duration in milliseconds.
    package var totalMilliseconds: Double
    /// The masked value of the call's token.
    package var maskedToken: String
    /// Whether it is a deliberate token check, not an app's call.
    package var isProbe: Bool
    /// Whether the session had ended, on its device or at its server, when the call was made; nil
    /// if unknown.
    package var hadEnded: Bool?
}
