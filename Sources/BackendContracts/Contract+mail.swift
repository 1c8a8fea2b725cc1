import Backend
import Crypto
import SQLite

/// Mailed links and codes of all contracts.
extension Contract {
    /// Sends the mail with its link. With a `refusal` it records only that, so that known and
    /// unknown addresses take equally long: one write is committed in both cases.
    func send(
        _ mail: OutgoingMail, limit: MailLimit, replacesEarlier: Bool = true,
        refusal: MailOutcome? = nil
    ) async throws {
        let sequence = try await database.write { connection -> Int64? in
            guard let refusal else {
                return try connection.sendLink(
                    mail, limit: limit, replacesEarlier: replacesEarlier)
            }
            let challenge = mail.challenge
            try connection.recordMailRequest(
                to: challenge.email, for: challenge.purpose.mailPurpose, refusal, in: realm,
                at: challenge.createdAt)
            return nil
        }
        services.mailbox.publishSent(mail, at: sequence)
    }

    /// Records that a mail was requested but not sent.
    func recordUnsentMail(
        to email: String, for purpose: Challenge.Purpose, _ outcome: MailOutcome,
        nextAllowedAt: Timestamp? = nil
    ) async throws {
        try await write { connection, now in
            try connection.recordMailRequest(
                to: email, for: purpose.mailPurpose, outcome, nextAllowedAt: nextAllowedAt,
                in: realm, at: now)
        }
    }

    /// Sends the mail with its code, which replaces earlier ones for these purposes. False if the
    /// limit holds it back. Adds `account` first, unless its address is taken.
    func sendCode(
        _ mail: OutgoingMail, replacing purposes: [Challenge.Purpose] = [],
        limit: MailLimit = .unlimited, adding account: Account? = nil
    ) async throws -> Bool {
        let sequence = try await database.write { connection -> Int64? in
            if let account { _ = try connection.add(account) }
            let sequence = try connection.send(mail, limit: limit)
            guard sequence != nil else { return nil }
            let code = mail.challenge
            // Only the newest code works, even if the same digits were sent before.
            try connection.invalidateCodes(
                of: code.email, for: purposes, in: code.realm, at: code.createdAt)
            try connection.addCode(code)
            return sequence
        }
        services.mailbox.publishSent(mail, at: sequence)
        return sequence != nil
    }

    /// A followed link: its state, and what it leads to.
    typealias FollowedLink = (state: LinkState, target: (challenge: Challenge, account: Account)?)

    /// The state of the link with this secret, without following it.
    func linkState(_ secret: String, for purpose: Challenge.Purpose) async throws -> LinkState {
        return try await read { connection, now in
            try connection.linkedAccount(Digest.sha256(secret), for: purpose, in: realm).map {
                $0.challenge.state(for: $0.account, at: now)
            } ?? .unknown
        }
    }

    /// Follows the link with this secret in one write: if its `state` is valid, marks it as used
    /// and runs `action`. A preview, as by a link scanner, does neither.
    func followLink(
        _ secret: String, for purpose: Challenge.Purpose, isPreview: Bool = false,
        state: @escaping @Sendable (Challenge, Account, Timestamp) -> LinkState = {
            $0.state(for: $1, at: $2)
        }, action: @escaping @Sendable (Account, Connection, Timestamp) throws -> Void
    ) async throws -> FollowedLink {
        let link = try await write { connection, now -> FollowedLink in
            let target = try connection.linkedAccount(
                Digest.sha256(secret), for: purpose, in: realm)
            guard let target else { return (.unknown, nil) }
            let state = state(target.challenge, target.account, now)
            guard state == .valid, !isPreview else { return (state, target) }
            try connection.markUsed(target.challenge, at: now)
            try action(target.account, connection, now)
            return (.completed, target)
        }
        if link.state == .completed, let target = link.target {
            services.mailbox.publishUsed(of: target.challenge)
        }
        return link
    }
}

/// One-time codes by mail.
extension Contract {
    /// A mail with a new code. A code works only in the `dialect` it was sent in.
    func makeCodeMail(
        for purpose: Challenge.Purpose, lifetime: Duration, to address: String, account: String?,
        dialect: String = "", template: (_ code: String) -> MailTemplate
    ) throws -> OutgoingMail {
        let code = accessTokens.keyring.makeCode()
        let digest = try accessTokens.keyring.digest(
            ofCode: code, to: address, for: purpose, in: realm, dialect: dialect)
        return try services.makeMail(
            template(code), digest: digest, purpose: purpose, lifetime: lifetime, to: address,
            account: account, in: realm)
    }

    /// A mail with a link to a new secret.
    func makeLinkMail(
        for purpose: Challenge.Purpose, lifetime: Duration, to address: String, account: String?,
        template: (_ secret: String) -> MailTemplate
    ) throws -> OutgoingMail {
        let secret = RandomTokens.secret(services.world)
        return try services.makeMail(
            template(secret), digest: Digest.sha256(secret), purpose: purpose, lifetime: lifetime,
            to: address, account: account, in: realm)
    }

    /// How long a link or code works that verifies an address or resets a password.
    static func mailLifetime(isReset: Bool) -> Duration { .seconds(isReset ? 3_600 : 86_400) }

    /// The closing of a mail with such a link or code. `subject` is either of the two words.
    static func mailClosing(_ subject: String, isReset: Bool) -> String {
        isReset
            ? "The \(subject) works once and for one hour. If you did not ask for it, ignore this "
                + "mail: nothing changes."
            : "The \(subject) works once and for 24 hours. If you did not register, ignore this "
                + "mail."
    }

    func makeCodeAttempt(
        _ code: String, of email: String, for purposes: [Challenge.Purpose], dialect: String = ""
    ) throws -> CodeAttempt {
        let digests = try purposes.map { purpose in
            let digest = try accessTokens.keyring.digest(
                ofCode: code, to: email, for: purpose, in: realm, dialect: dialect)
            return (purpose, digest)
        }
        return CodeAttempt(email: email, realm: realm, digests: digests, now: now)
    }
}

/// A code as entered, with its digest for each purpose it may have been sent for.
struct CodeAttempt: Sendable {
    let email: String
    let realm: Realm
    let digests: [(purpose: Challenge.Purpose, digest: String)]
    let now: Timestamp
    let faultTicket = FaultTicket.current

    enum Result: Sendable {
        case valid(Challenge)
        case expired
        /// Never sent, used or replaced.
        case invalid
    }

    /// Checks the code inside a write without using it up.
    func check(on connection: Connection) throws -> Result {
        var result = Result.invalid
        for (purpose, digest) in digests {
            let found = try connection.challenge(digest, for: purpose, in: realm)
            switch found?.state(at: now) {
            case .valid:
                guard faultTicket?.triggers(.codeExpired) != true else {
                    result = .expired
                    continue
                }
                if let found { return .valid(found) }
            case .expired: result = .expired
            default: break
            }
        }
        return result
    }

    /// Counts a wrong attempt inside a write. Returns the highest count of a code of the address.
    func countFailure(on connection: Connection) throws -> Int {
        try connection.countFailedAttempt(
            at: email, for: digests.map(\.purpose), in: realm, at: now)
    }
}
