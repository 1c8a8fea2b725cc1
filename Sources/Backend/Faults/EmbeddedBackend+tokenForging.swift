import Crypto
import SQLite

extension EmbeddedBackend {
    /// The token for another audience, signed again; nil unless this contract's key signed it.
    package func makeWrongAudience(_ token: String, contract: String, workspace: String) -> String?
    { accessTokens(of: contract)?.makeWrongAudience(token) }

    /// Marks a refresh token as used an hour ago by another client that went on refreshing. What
    /// its next use leads to is the contract's own rule.
    package func markUsed(refreshToken token: String, contract: String, workspace: String)
        async throws
    {
        let realm = Realm(workspace: workspace, contract: contract)
        let digest = Digest.sha256(token)
        let usedAt = context.now(in: realm) - .seconds(3_600)
        try await context.database.write { connection in
            guard let record = try connection.session(ofRefreshToken: digest, in: realm) else {
                return
            }
            try connection.run(
                "UPDATE refresh_tokens SET used_at = ? WHERE digest = ?",
                [usedAt.sqlValue, .text(digest)])
            // Two generations on, because reuse of the last but one may be tolerated.
            try connection.run(
                "UPDATE sessions SET generation = generation + 2 WHERE id = ?",
                [.text(record.session.id)])
        }
    }

    /// Whether the contract supports a fault: one without passwords cannot lock an account, for
    /// example.
    package func supports(_ kind: FaultHooks.Kind, contract: String) -> Bool {
        self.contract(contract).map { type(of: $0).supportedFaults.contains(kind) } ?? false
    }
}
