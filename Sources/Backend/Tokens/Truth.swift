/// What the embedded backend says of a session when it is asked directly.
package struct Truth: Sendable, Equatable {
    /// Nil if the server has no such session, or not any more.
    package var session: EmbeddedBackend.KnownSession?
    /// Nil if there is no such account, or not any more.
    package var account: EmbeddedBackend.KnownPerson?
    /// What became of each refresh token asked about; nil for one the server
    /// never gave, or has forgotten.
    package var asked: [EmbeddedBackend.KnownRefreshToken?]
    /// The session's refresh tokens, oldest first; its newest 100.
    package var issued: [EmbeddedBackend.KnownRefreshToken]
    /// Whether the stored access token is one of the server's own.
    package var isOwnToken: Bool

    package init(
        session: EmbeddedBackend.KnownSession?, account: EmbeddedBackend.KnownPerson?,
        asked: [EmbeddedBackend.KnownRefreshToken?] = [],
        issued: [EmbeddedBackend.KnownRefreshToken] = [], isOwnToken: Bool = true
    ) {
        self.session = session
        self.account = account
        self.asked = asked
        self.issued = issued
        self.isOwnToken = isOwnToken
    }
}
