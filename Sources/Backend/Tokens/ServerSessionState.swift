/// The embedded backend's own record of a session, read directly instead of by a request.
package struct ServerSessionState: Sendable, Equatable {
    /// Nil if the server has no such session, or no longer.
    package var session: EmbeddedBackend.SessionInfo?
    /// Nil if there is no such account, or no longer.
    package var account: EmbeddedBackend.SessionAccount?
    /// One element per requested refresh token; nil for one the server never issued or has deleted.
    package var requestedTokens: [EmbeddedBackend.RefreshTokenInfo?]
    /// The newest 100 of the session's refresh tokens, oldest first.
    package var issuedTokens: [EmbeddedBackend.RefreshTokenInfo]
    /// Whether the stored access token was signed by the server.
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
