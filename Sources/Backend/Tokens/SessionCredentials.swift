package import Web

/// What a device still has of a session, by which a server may find it.
package struct SessionCredentials: Sendable {
    /// The stored access token; nil once the device forgot it.
    package var accessToken: String?
    /// Refresh tokens of the session, the newest last.
    package var refreshTokens: [String]
    /// The claims of its last access token; they lead to a session only
    /// where no token is left that could prove one.
    package var claims: JSON?

    package init(accessToken: String?, refreshTokens: [String], claims: JSON?) {
        self.accessToken = accessToken
        self.refreshTokens = refreshTokens
        self.claims = claims
    }
}
