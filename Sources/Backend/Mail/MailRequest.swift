import SQLite

/// A request for a mail, with its outcome.
///
/// The endpoint's response does not reveal the outcome; the mailbox uses it to explain a missing
/// mail.
package struct MailRequest: Sendable, Equatable {
    let realm: Realm
    /// Normalized.
    let email: String
    let purpose: String
    let outcome: Outcome
    /// For `limited`: when the next mail is allowed.
    let nextAllowedAt: Timestamp?
    let requestedAt: Timestamp

    package enum Outcome: String, Sendable {
        case sent
        /// An injected fault dropped the mail.
        case lost
        /// The rate limit blocked the mail.
        case limited
        /// No account has that address.
        case unknown
        case alreadyVerified
    }

    package init(
        realm: Realm, email: String, purpose: String, outcome: Outcome,
        nextAllowedAt: Timestamp? = nil, requestedAt: Timestamp
    ) {
        self.realm = realm
        self.email = email
        self.purpose = purpose
        self.outcome = outcome
        self.nextAllowedAt = nextAllowedAt
        self.requestedAt = requestedAt
    }

    /// Reads all columns of `mail_requests`.
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
