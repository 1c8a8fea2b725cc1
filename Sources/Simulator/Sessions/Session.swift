package import FoundationEssentials
package import Secrets

/// A signed-in device in an app, as long as it is remembered.
package struct Session: Sendable, Equatable {
    package var id: String
    package var workspace: String
    package var app: String
    package var device: String
    package var backend: String
    package var userID: String?
    package var email: String?
    package var state: State
    package var createdAt: Date
    package var refreshedAt: Date?
    package var refreshCount: Int
    package var endedAt: Date?
    /// The last access token it had, taken apart; nil before the first.
    package var accessToken: Held?
    package var refreshToken: Held?

    /// `expired` is judged against the clock when read.
    package enum State: String, Sendable, CaseIterable {
        case active, expired, revoked, signedOut
    }

    /// A token without its whole value.
    package struct Held: Sendable, Equatable {
        package var masked: String
        /// Decoded; an opaque one has no header.
        package var token: Token
        package var bytes: Int
        package var receivedAt: Date
    }
}
