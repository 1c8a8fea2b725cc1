@testable import Backend

extension EmbeddedBackend {
    /// What the server knows of the session a token belongs to, be it an
    /// access or a refresh token; nil if it is none of ours.
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
