import SQLite

/// Somebody asked for a mail, and what came of it.
///
/// The endpoint's answer tells nobody; the mailbox's explanation does.
struct MailRequest: Sendable, Equatable {
    let realm: Realm
    /// Normalised.
    let email: String
    let purpose: String
    let outcome: Outcome
    /// When the next is sent again, for `limited`.
    let nextAllowedAt: Timestamp?
    let requestedAt: Timestamp

    enum Outcome: String, Sendable {
        case sent
        /// It went out and was lost on its way, on purpose.
        case lost
        /// The rate limit held it back.
        case limited
        /// Nobody has that address.
        case unknown
        /// The address is verified already.
        case alreadyVerified = "needless"
    }

    init(
        realm: Realm, email: String, purpose: String, outcome: Outcome,
        nextAllowedAt: Timestamp? = nil,
        requestedAt: Timestamp
    ) {
        self.realm = realm
        self.email = email
        self.purpose = purpose
        self.outcome = outcome
        self.nextAllowedAt = nextAllowedAt
        self.requestedAt = requestedAt
    }

    /// Reads a whole row of `mail_requests`.
    init?(_ row: Row) {
        guard let outcome = Outcome(rawValue: row.text(5)) else { return nil }
        realm = Realm(workspace: row.text(1), contract: row.text(2))
        email = row.text(3)
        purpose = row.text(4)
        self.outcome = outcome
        nextAllowedAt = row.optionalTimestamp(6)
        requestedAt = row.timestamp(7)
    }
}
