/// What the embedded backend says of a session when it is asked directly.
package struct ServerSessionState: Sendable, Equatable {
    /// Nil if the server has no such session, or not any more.
    package var session: EmbeddedBackend.SessionInfo?
    /// Nil if there is no such account, or not any more.
    package var account: EmbeddedBackend.SessionAccount?
    /// What became of each refresh token asked about; nil for one the server
    /// never gave, or has forgotten.
    package var requestedTokens: [EmbeddedBackend.RefreshTokenInfo?]
    /// The session's refresh tokens, oldest first; its newest 100.
    package var issuedTokens: [EmbeddedBackend.RefreshTokenInfo]
    /// Whether the stored access token is one of the server's own.
    package var isAccessTokenRecognized: Bool

    package init(
        session: EmbeddedBackend.SessionInfo?, account: EmbeddedBackend.SessionAccount?,
        requestedTokens: [EmbeddedBackend.RefreshTokenInfo?] = [],
        issuedTokens: [EmbeddedBackend.RefreshTokenInfo] = [], isAccessTokenRecognized: Bool = true
    ) {
        self.session = session
        self.account = account
        self.requestedTokens = requestedTokens
        self.issuedTokens = issuedTokens
        self.isAccessTokenRecognized = isAccessTokenRecognized
    }
}
