import SQLite

/// A mailed link whose follower must show a secret to be signed in
/// (RFC 7636): following it gives a code, the code and the secret a session.
struct PKCEFlow: Sendable, Equatable {
    /// The digest of the link's challenge.
    let linkDigest: String
    let accountID: String
    /// What the secret is checked against.
    let codeChallenge: String
    /// How: a contract's word.
    let codeChallengeMethod: String
    /// When the link was followed and the code given.
    var linkFollowedAt: Timestamp?
    var usedAt: Timestamp?

    init(linkDigest: String, accountID: String, codeChallenge: String, codeChallengeMethod: String)
    {
        self.linkDigest = linkDigest
        self.accountID = accountID
        self.codeChallenge = codeChallenge
        self.codeChallengeMethod = codeChallengeMethod
    }

    fileprivate init(_ row: Row) {
        linkDigest = row.text(0)
        accountID = row.text(1)
        codeChallenge = row.text(2)
        codeChallengeMethod = row.text(3)
        linkFollowedAt = row.optionalTimestamp(5)
        usedAt = row.optionalTimestamp(6)
    }
}

/// What is asked of flows, inside a read or a write.
extension Connection {
    /// The flow of the challenge with this digest.
    func pkceFlow(link digest: String) throws -> PKCEFlow? {
        try row("SELECT * FROM flows WHERE link = ?", [.text(digest)]) { PKCEFlow($0) }
    }

    /// The flow whose link was followed for the code with this digest.
    func pkceFlow(code digest: String) throws -> PKCEFlow? {
        try row("SELECT * FROM flows WHERE code = ?", [.text(digest)]) { PKCEFlow($0) }
    }

    func add(_ flow: PKCEFlow) throws {
        try run(
            "INSERT INTO flows VALUES (?, ?, ?, ?, NULL, NULL, NULL)",
            [
                .text(flow.linkDigest), .text(flow.accountID), .text(flow.codeChallenge),
                .text(flow.codeChallengeMethod),
            ])
    }

    /// Notes the digest of the code that following the link gave.
    func recordLinkFollowed(_ flow: PKCEFlow, code digest: String, at now: Timestamp) throws {
        try run(
            "UPDATE flows SET code = ?, opened_at = ? WHERE link = ?",
            [.text(digest), now.sqlValue, .text(flow.linkDigest)])
    }

    func markUsed(_ flow: PKCEFlow, at now: Timestamp) throws {
        try run(
            "UPDATE flows SET used_at = ? WHERE link = ?", [now.sqlValue, .text(flow.linkDigest)])
    }

    /// Ends those of an account: what following their links gave is void.
    func endPKCEFlows(of account: String, at now: Timestamp) throws {
        try run(
            "UPDATE flows SET used_at = ? WHERE account = ? AND used_at IS NULL",
            [now.sqlValue, .text(account)])
    }
}
