import SQLite

/// A mailed link whose follower must show a secret to be signed in
/// (RFC 7636): following it gives a code, the code and the secret a session.
struct Flow: Sendable, Equatable {
    /// The digest of the link's challenge.
    let link: String
    let account: String
    /// What the secret is checked against.
    let challenge: String
    /// How: a contract's word.
    let method: String
    /// When the link was followed and the code given.
    var openedAt: Moment?
    var usedAt: Moment?

    init(link: String, account: String, challenge: String, method: String) {
        self.link = link
        self.account = account
        self.challenge = challenge
        self.method = method
    }

    fileprivate init(_ row: Row) {
        link = row.text(0)
        account = row.text(1)
        challenge = row.text(2)
        method = row.text(3)
        openedAt = row.optionalMoment(5)
        usedAt = row.optionalMoment(6)
    }
}

/// What is asked of flows, inside a read or a write.
extension Connection {
    /// The flow of the challenge with this digest.
    func flow(link digest: String) throws -> Flow? {
        try row("SELECT * FROM flows WHERE link = ?", [.text(digest)]) { Flow($0) }
    }

    /// The flow whose link was followed for the code with this digest.
    func flow(code digest: String) throws -> Flow? {
        try row("SELECT * FROM flows WHERE code = ?", [.text(digest)]) { Flow($0) }
    }

    func add(_ flow: Flow) throws {
        try run(
            "INSERT INTO flows VALUES (?, ?, ?, ?, NULL, NULL, NULL)",
            [.text(flow.link), .text(flow.account), .text(flow.challenge), .text(flow.method)])
    }

    /// Notes the digest of the code that following the link gave.
    func open(_ flow: Flow, code digest: String, at now: Moment) throws {
        try run(
            "UPDATE flows SET code = ?, opened_at = ? WHERE link = ?",
            [.text(digest), now.value, .text(flow.link)])
    }

    func use(_ flow: Flow, at now: Moment) throws {
        try run("UPDATE flows SET used_at = ? WHERE link = ?", [now.value, .text(flow.link)])
    }

    /// Ends those of an account: what following their links gave is void.
    func endFlows(of account: String, at now: Moment) throws {
        try run(
            "UPDATE flows SET used_at = ? WHERE account = ? AND used_at IS NULL",
            [now.value, .text(account)])
    }
}
