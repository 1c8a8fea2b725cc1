package import Web

/// What a device still stores of a session, for finding the session at the server.
package struct SessionCredentials: Sendable {
    /// The stored access token; nil once the device deleted it.
    package var accessToken: String?
    /// Refresh tokens of the session, newest last.
    package var refreshTokens: [String]
    /// The claims of its last access token; used to find the session only if no token is left to
    /// prove it.
    package var claims: JSON?

    package init(accessToken: String?, refreshTokens: [String], claims: JSON?) {
        self.accessToken = accessToken
        self.refreshTokens = refreshTokens
        self.claims = claims
    }
}
