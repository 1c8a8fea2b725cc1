import SQLite

/// A mailed link or code, which expires and works once.
///
/// The secret in the mail is stored as a SHA-256 digest, so the table alone gives no access.
package struct Challenge: Sendable, Equatable {
    package let digest: String
    /// Nil while no account has the address yet (sign-up by code).
    package let accountID: String?
    package let realm: Realm
    package let purpose: Purpose
    /// Normalized.
    package let email: String
    /// The mail it was sent with.
    package let mailID: String?
    /// Wrong codes entered so far.
    package var failedAttempts = 0
    package let createdAt: Timestamp
    let expiresAt: Timestamp
    var usedAt: Timestamp?
    /// When a newer challenge replaced it.
    var replacedAt: Timestamp?

    package init(
        digest: String, accountID: String?, realm: Realm, purpose: Purpose, email: String,
        mailID: String?, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.digest = digest
        self.accountID = accountID
        self.realm = realm
        self.purpose = purpose
        self.email = email
        self.mailID = mailID
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Reads all columns of `challenges`; nil for an unknown purpose.
    init?(_ row: Row) {
        guard let purpose = Purpose(rawValue: row.text(4)) else { return nil }
        digest = row.text(0)
        accountID = row.optionalText(1)
        realm = Realm(workspace: row.text(2), contract: row.text(3))
        self.purpose = purpose
        email = row.text(5)
        mailID = row.optionalText(6)
        failedAttempts = Int(row.integer(7))
        createdAt = row.timestamp(8)
        expiresAt = row.timestamp(9)
        usedAt = row.optionalTimestamp(10)
        replacedAt = row.optionalTimestamp(11)
    }

    /// What it is for. Where a server offers both a link and a code for one task, the code has its
    /// own purpose: digits can be guessed, and a wrong guess must not invalidate the link.
    package enum Purpose: String, Sendable {
        case verify, reset, login, register
        case emailChange = "email change"
        case verifyCode = "verify code"
        case resetCode = "reset code"

        /// The purpose as shown in the mailbox, the same for a link and a code.
        package var mailPurpose: String {
            switch self {
            case .verifyCode: Purpose.verify.rawValue
            case .resetCode: Purpose.reset.rawValue
            default: rawValue
            }
        }
    }

    package enum State: Sendable, Equatable { case valid, used, replaced, expired }

    package func state(at now: Timestamp) -> State {
        let state = computedState(at: now)
        CheckTrace.record(.codeValidity, state == .valid, evidence(state, at: now))
        return state
    }

    private func evidence(_ state: State, at now: Timestamp) -> String {
        switch state {
        case .valid: "expires in \(now.durationText(to: expiresAt))"
        case .expired: "correct, but expired \(expiresAt.durationText(to: now)) ago"
        case .used: "used \((usedAt ?? now).durationText(to: now)) ago"
        case .replaced: "replaced \((replacedAt ?? now).durationText(to: now)) ago"
        }
    }

    private func computedState(at now: Timestamp) -> State {
        if usedAt != nil { return .used }
        if replacedAt != nil { return .replaced }
        return now >= expiresAt ? .expired : .valid
    }
}

/// The effect of a mailed link on its account, or why it has none.
package enum LinkState: Sendable, Equatable {
    case valid
    /// The link took effect just now.
    case completed
    /// The address was verified before, by this link or another.
    case alreadyVerified
    case used
    case replaced
    case expired
    /// Never sent, or its account no longer exists.
    case unknown

    package init(_ challenge: Challenge, _ account: Account, at now: Timestamp) {
        if challenge.purpose == .verify, account.emailVerifiedAt != nil {
            self = .alreadyVerified
            return
        }
        self.init(challenge, at: now)
    }

    /// The state of the link alone, without regard to its account.
    package init(_ challenge: Challenge, at now: Timestamp) {
        switch challenge.state(at: now) {
        case .valid: self = .valid
        case .used: self = .used
        case .replaced: self = .replaced
        case .expired: self = .expired
        }
    }
}
