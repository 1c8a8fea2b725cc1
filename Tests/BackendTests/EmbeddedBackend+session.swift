@testable import Backend

extension EmbeddedBackend {
    /// The server's record of the session of an access or refresh token.
    func state(of token: String, contract: String, workspace: String) async throws
        -> ServerSessionState
    {
        try await serverState(
            of: SessionCredentials(accessToken: token, refreshTokens: [token], claims: nil),
            contract: contract, workspace: workspace)
    }

    /// The server's record of the session alone; nil if the token is unknown.
    func session(of token: String, contract: String, workspace: String) async throws
        -> BackendSession?
    { try await state(of: token, contract: contract, workspace: workspace).session }
}
