import Core
import SQLite
import Web

/// A mailed link or code, which expires and works once.
///
/// The secret in the mail is stored as a SHA-256 digest, so the table alone gives no access.
package struct Challenge: Sendable, Equatable {
    package let digest: String
    /// Nil while no account has the address yet (sign-up by code).
    package let accountID: String?
    package let realm: Realm
    package let purpose: Purpose
    /// The normalized address or phone number it was sent to; a factor's id for its challenge.
    package let email: String
    /// The mail it was sent with.
    package let mailID: String?
    /// Wrong codes entered so far.
    package var failedAttempts = 0
    package let createdAt: Timestamp
    package let expiresAt: Timestamp
    package var usedAt: Timestamp?
    /// When a newer challenge replaced it.
    package var replacedAt: Timestamp?
    /// The digest of a code that is entered together with the challenge's own secret.
    package var codeDigest: String?
    /// The contract's own data about what it is for: a JSON object as text.
    package var contractData: String?

    package init(
        digest: String, accountID: String?, realm: Realm, purpose: Purpose, email: String,
        mailID: String? = nil, failedAttempts: Int = 0, createdAt: Timestamp, expiresAt: Timestamp,
        usedAt: Timestamp? = nil, replacedAt: Timestamp? = nil, codeDigest: String? = nil,
        contractData: String? = nil
    ) {
        self.digest = digest
        self.accountID = accountID
        self.realm = realm
        self.purpose = purpose
        self.email = email
        self.mailID = mailID
        self.failedAttempts = failedAttempts
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usedAt = usedAt
        self.replacedAt = replacedAt
        self.codeDigest = codeDigest
        self.contractData = contractData
    }

    /// What it is for. Where a server offers both a link and a code for one task, the code has its
    /// own purpose: digits can be guessed, and a wrong guess must not invalidate the link.
    package enum Purpose: String, Sendable {
        case verify, reset, login, register
        case emailChange = "email change"
        case verifyCode = "verify code"
        case resetCode = "reset code"
        case invite
        case phone
        case phoneChange = "phone change"
        /// Sent to the current address, while the new one gets `emailChange`.
        case emailChangeCurrent = "email change current"
        /// Returns to the address before a change.
        case emailRecovery = "email recovery"
        case reauthentication
        /// A code of a second factor.
        case factor
        /// A sign-in that awaits its second factor.
        case pendingSignIn = "pending sign-in"
        /// A sign-in at a provider, until the browser returns from it.
        case provider

        /// The purpose as shown in the mailbox, the same for a link and a code.
        package var mailPurpose: String {
            switch self {
            case .verifyCode: Purpose.verify.rawValue
            case .resetCode: Purpose.reset.rawValue
            case .emailChangeCurrent: Purpose.emailChange.rawValue
            default: rawValue
            }
        }
    }

    /// The state of the link or code alone, without regard to its account.
    package func state(at now: Timestamp) -> LinkState {
        let state = computedState(at: now)
        CheckTrace.record(.codeValidity, state == .valid, evidence(state, at: now))
        return state
    }

    package func state(for account: Account, at now: Timestamp) -> LinkState {
        purpose == .verify && account.emailVerifiedAt != nil ? .alreadyVerified : state(at: now)
    }

    private func evidence(_ state: LinkState, at now: Timestamp) -> String {
        switch state {
        case .valid: "expires in \(now.durationText(to: expiresAt))"
        case .expired: "correct, but expired \(expiresAt.durationText(to: now)) ago"
        case .used: "used \((usedAt ?? now).durationText(to: now)) ago"
        case .replaced: "replaced \((replacedAt ?? now).durationText(to: now)) ago"
        case .completed, .alreadyVerified, .unknown: ""
        }
    }

    private func computedState(at now: Timestamp) -> LinkState {
        if usedAt != nil { return .used }
        if replacedAt != nil { return .replaced }
        return now >= expiresAt ? .expired : .valid
    }
}

extension Challenge {
    /// Reads all columns of `challenges`; nil for an unknown purpose.
    init?(_ row: Row) {
        guard let purpose = Purpose(rawValue: row.text(4)) else { return nil }
        self.init(
            digest: row.text(0), accountID: row.optionalText(1), realm: Realm(row, from: 2),
            purpose: purpose, email: row.text(5), mailID: row.optionalText(6),
            failedAttempts: Int(row.integer(7)), createdAt: row.timestamp(8),
            expiresAt: row.timestamp(9), usedAt: row.optionalTimestamp(10),
            replacedAt: row.optionalTimestamp(11), codeDigest: row.optionalText(12),
            contractData: row.optionalText(13))
    }
}

/// The effect of a mailed link or code, or why it has none.
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
}

/// Challenge queries for use inside a read or a write.
extension Connection {
    package func challenge(_ digest: String, for purpose: Challenge.Purpose, in realm: Realm) throws
        -> Challenge?
    {
        let found =
            try row(
                """
                SELECT * FROM challenges WHERE digest = ? AND purpose = ?
                    AND workspace = ? AND contract = ?
                """, [.text(digest), .text(purpose.rawValue)] + realm.sqlValues
            ) { Challenge($0) } ?? nil
        CheckTrace.record(.code, found != nil, found == nil ? "unknown code" : "sent")
        return found
    }

    /// The newest challenge sent to `email` for `purpose`, valid or not; for codes, which are
    /// looked up by recipient.
    package func newestChallenge(to email: String, for purpose: Challenge.Purpose, in realm: Realm)
        throws -> Challenge?
    {
        try row(
            """
            SELECT * FROM challenges WHERE workspace = ? AND contract = ?
                AND email = ? AND purpose = ? AND replaced_at IS NULL
            ORDER BY created_at DESC LIMIT 1
            """, realm.sqlValues + [.text(email), .text(purpose.rawValue)]
        ) { Challenge($0) } ?? nil
    }

    /// The valid challenges of a realm for these purposes, oldest first.
    package func validChallenges(
        for purposes: [Challenge.Purpose], in realm: Realm, at now: Timestamp
    ) throws -> [Challenge] {
        try purposes.flatMap { purpose in
            try rows(
                """
                SELECT * FROM challenges WHERE workspace = ? AND contract = ? AND purpose = ?
                    AND used_at IS NULL AND replaced_at IS NULL AND expires_at > ?
                """, realm.sqlValues + [.text(purpose.rawValue), now.sqlValue]
            ) { Challenge($0) }.compactMap(\.self)
        }.sorted { $0.createdAt < $1.createdAt }
    }

    package func recordFailedAttempt(at challenge: Challenge) throws {
        CheckTrace.record(
            .code, false, "wrong code, \((challenge.failedAttempts + 1).ordinal) attempt")
        try run(
            "UPDATE challenges SET attempts = attempts + 1 WHERE digest = ?",
            [.text(challenge.digest)])
    }

    /// Replaces an account's unused challenges for `purposes`, or for every purpose if nil.
    package func invalidateChallenges(
        of account: String, for purposes: [Challenge.Purpose]? = nil, at now: Timestamp
    ) throws {
        let names = purposes.map { purposes in
            JSON.array(purposes.map { .string($0.rawValue) }).description
        }
        try run(
            """
            UPDATE challenges SET replaced_at = ?1
            WHERE account = ?2
                AND (?3 IS NULL OR purpose IN (SELECT value FROM json_each(?3)))
                AND used_at IS NULL AND replaced_at IS NULL
            """, [now.sqlValue, .text(account), .text(names)])
    }

    /// Replaces every unused challenge of `email` for these purposes.
    package func invalidateCodes(
        of email: String, for purposes: [Challenge.Purpose], in realm: Realm, at now: Timestamp
    ) throws {
        for purpose in purposes {
            try run(
                """
                UPDATE challenges SET replaced_at = ?
                WHERE workspace = ? AND contract = ? AND email = ?
                    AND purpose = ? AND used_at IS NULL AND replaced_at IS NULL
                """, [now.sqlValue] + realm.sqlValues + [.text(email), .text(purpose.rawValue)])
        }
    }

    /// Adds `challenge` and replaces unused ones of the same address and purpose.
    package func add(_ challenge: Challenge) throws {
        try invalidateCodes(
            of: challenge.email, for: [challenge.purpose], in: challenge.realm,
            at: challenge.createdAt)
        try insert(challenge)
    }

    /// Adds a code without replacing valid ones of the same address. Sending the same digits again
    /// makes them valid again.
    package func addCode(_ code: Challenge) throws {
        // A code is reported as expired for a day; after that it is unknown.
        try run(
            """
            DELETE FROM challenges
            WHERE workspace = ? AND contract = ? AND email = ? AND expires_at < ?
            """,
            code.realm.sqlValues + [
                .text(code.email), (code.createdAt - .seconds(86_400)).sqlValue,
            ])
        try insert(code)
    }

    private func insert(_ challenge: Challenge) throws {
        try run(
            """
            INSERT OR REPLACE INTO challenges
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?)
            """,
            [.text(challenge.digest), .text(challenge.accountID)] + challenge.realm.sqlValues + [
                .text(challenge.purpose.rawValue), .text(challenge.email), .text(challenge.mailID),
                .integer(challenge.failedAttempts), challenge.createdAt.sqlValue,
                challenge.expiresAt.sqlValue, .text(challenge.codeDigest),
                .text(challenge.contractData),
            ])
        try pruneChallenges(after: challenge)
    }

    /// Counts a wrong guess against every valid code of `email`. Returns the highest resulting
    /// count.
    package func countFailedAttempt(
        at email: String, for purposes: [Challenge.Purpose], in realm: Realm, at now: Timestamp
    ) throws -> Int {
        var highestCount = 0
        for purpose in purposes {
            let values = realm.sqlValues + [.text(email), .text(purpose.rawValue), now.sqlValue]
            let validCodes: StaticSQL = """
                workspace = ? AND contract = ? AND email = ?
                    AND purpose = ? AND expires_at > ?
                    AND used_at IS NULL AND replaced_at IS NULL
                """
            try run("UPDATE challenges SET attempts = attempts + 1 WHERE \(validCodes)", values)
            let attempts = try integer(
                "SELECT max(attempts) FROM challenges WHERE \(validCodes)", values)
            highestCount = max(highestCount, Int(attempts ?? 0))
        }
        let count = highestCount
        CheckTrace.record(
            .code, false,
            count == 0 ? "no valid code for this email" : "wrong code, \(count.ordinal) attempt")
        return highestCount
    }

    /// Marks `challenge` and its mail as used, and the mail as read.
    package func markUsed(_ challenge: Challenge, at now: Timestamp) throws {
        try run(
            "UPDATE challenges SET used_at = ? WHERE digest = ?",
            [now.sqlValue, .text(challenge.digest)])
        try run(
            "UPDATE mails SET used_at = ?1, read_at = coalesce(read_at, ?1) WHERE id = ?2",
            [now.sqlValue, .text(challenge.mailID)])
    }

    /// Whether the account was ever mailed a link or code for one of these purposes.
    package func wasMailed(_ account: String, for purposes: [Challenge.Purpose]) throws -> Bool {
        try purposes.contains { purpose in
            try integer(
                "SELECT 1 FROM challenges WHERE account = ? AND purpose = ? LIMIT 1",
                [.text(account), .text(purpose.rawValue)]) != nil
        }
    }

    /// A mailed challenge with its account; nil if either no longer exists.
    package func linkedAccount(_ digest: String, for purpose: Challenge.Purpose, in realm: Realm)
        throws -> (challenge: Challenge, account: Account)?
    {
        guard let challenge = try challenge(digest, for: purpose, in: realm),
            let owner = challenge.accountID, let account = try account(owner, in: realm)
        else { return nil }
        return (challenge, account)
    }
}
