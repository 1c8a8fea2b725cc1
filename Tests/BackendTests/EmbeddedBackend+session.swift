@testable import Backend

extension EmbeddedBackend {
    /// The server's record of the session of an access or refresh token; nil if the token is
    /// unknown.
    func session(of token: String, contract: String, workspace: String) async throws
        -> SessionInfo?
    {
        try await serverState(
            of: SessionCredentials(accessToken: token, refreshTokens: [token], claims: nil),
            contract: contract,
            workspace: workspace
        ).session
    }
}
