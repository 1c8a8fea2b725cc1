import SQLite

/// A mailed link with PKCE (RFC 7636): following it gives a code; the code and the verifier give a
/// session.
package struct PKCEFlow: Sendable, Equatable {
    /// The digest of the link's challenge.
    package let linkDigest: String
    package let accountID: String
    /// The value that the code verifier is checked against.
    package let codeChallenge: String
    /// The contract's name of the method.
    package let codeChallengeMethod: String
    /// When the link was followed and the code issued.
    package var linkFollowedAt: Timestamp?
    package var usedAt: Timestamp?
}

extension PKCEFlow {
    /// Reads all columns of `flows`.
    fileprivate init(_ row: Row) {
        self.init(
            linkDigest: row.text(0), accountID: row.text(1), codeChallenge: row.text(2),
            codeChallengeMethod: row.text(3), linkFollowedAt: row.optionalTimestamp(5),
            usedAt: row.optionalTimestamp(6))
    }
}

/// PKCE flow queries for use inside a read or a write.
extension Connection {
    /// The flow of the link challenge with this digest.
    package func pkceFlow(link digest: String) throws -> PKCEFlow? {
        try row("SELECT * FROM flows WHERE link = ?", [.text(digest)]) { PKCEFlow($0) }
    }

    /// The flow that issued the code with this digest.
    package func pkceFlow(code digest: String) throws -> PKCEFlow? {
        try row("SELECT * FROM flows WHERE code = ?", [.text(digest)]) { PKCEFlow($0) }
    }

    package func addPKCEFlow(
        link digest: String, account: String, codeChallenge: String, method: String
    ) throws {
        try run(
            "INSERT INTO flows VALUES (?, ?, ?, ?, NULL, NULL, NULL)",
            [.text(digest), .text(account), .text(codeChallenge), .text(method)])
    }

    /// Records the digest of the code issued when the link was followed.
    package func recordLinkFollowed(_ flow: PKCEFlow, code digest: String, at now: Timestamp) throws
    {
        try run(
            "UPDATE flows SET code = ?, opened_at = ? WHERE link = ?",
            [.text(digest), now.sqlValue, .text(flow.linkDigest)])
    }

    package func markUsed(_ flow: PKCEFlow, at now: Timestamp) throws {
        try run(
            "UPDATE flows SET used_at = ? WHERE link = ?", [now.sqlValue, .text(flow.linkDigest)])
    }

    /// Ends all flows of an account: codes already issued become invalid.
    package func endPKCEFlows(of account: String, at now: Timestamp) throws {
        try run(
            "UPDATE flows SET used_at = ? WHERE account = ? AND used_at IS NULL",
            [now.sqlValue, .text(account)])
    }
}
