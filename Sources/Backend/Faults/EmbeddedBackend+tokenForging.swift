import Crypto
import SQLite

extension EmbeddedBackend {
    /// The same token for another audience, signed anew; nil if it is none
    /// of ours.
    package func makeWrongAudience(_ token: String, contract: String, workspace: String) -> String?
    {
        accessTokens(of: contract)?.makeWrongAudience(token)
    }

    /// Makes a refresh token one that somebody else used an hour ago, and
    /// went on with. What its next use leads to is the contract's own rule.
    package func markUsed(refreshToken token: String, contract: String, workspace: String)
        async throws
    {
        let realm = Realm(workspace: workspace, contract: contract)
        let digest = Digest.sha256(token)
        let then = context.now(in: realm) - .seconds(3_600)
        try await context.database.write { connection in
            guard let found = try connection.session(ofRefreshToken: digest, in: realm) else {
                return
            }
            try connection.run(
                "UPDATE refresh_tokens SET used_at = ? WHERE digest = ?",
                [then.sqlValue, .text(digest)])
            // Two generations on: the newest but one may come again.
            try connection.run(
                "UPDATE sessions SET generation = generation + 2 WHERE id = ?",
                [.text(found.session.id)])
        }
    }

    /// Whether the contract can meet such trouble: one without passwords
    /// locks nobody out.
    package func supports(_ kind: FaultHooks.Kind, contract: String) -> Bool {
        blueprints.first { $0.id == contract }?.supportedFaults.contains(kind) ?? false
    }
}
