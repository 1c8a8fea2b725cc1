import SQLite
import Secrets
import Web

/// What mailed codes do, be they sent by an app or by a page.
extension ClarityContract {
    /// `accounts:resetPassword`: tells what a code is for, or sets the new
    /// password with it.
    @Sendable func resetPassword(_ visit: Visit) async throws -> Response {
        let realm = try admit(visit)
        let body = try ClarityBody(visit.request)
        guard let code = try body.text("oobCode") else { throw ClarityFailure.missingCode }
        let (link, state, account) = try await state(of: code, in: realm)
        try Self.check(state)
        if let password = try body.password("newPassword") {
            guard link == .reset else { throw ClarityFailure.invalidCode }
            guard account?.disabledAt == nil else { throw ClarityFailure.userDisabled }
            try Self.check(newPassword: password)
            try Self.check(try await reset(by: code, to: password, in: realm))
        }
        return .json([
            "kind": "identitytoolkit#ResetPasswordResponse", "email": JSON(account?.email),
            "requestType": .string(link.requestType),
        ])
    }

    /// Applies a code that verifies an address.
    func verify(_ code: String, in realm: Realm) async throws -> Account {
        let (state, _, account) = try await follow(code, in: realm)
        try Self.check(state)
        guard let account else { throw ClarityFailure.invalidCode }
        return account
    }

    /// Follows a link that verifies; only looks if it is not to be used up.
    ///
    /// An app is told of the link, and uses it up though nothing is left to
    /// verify; a person is told what matters to them, which is `shown`.
    func follow(_ code: String, in realm: Realm, isLooking: Bool = false) async throws -> (
        state: LinkState, shown: LinkState, Account?
    ) {
        let digest = Digest.sha256(code)
        let now = premises.now(in: realm)
        let (state, shown, challenge, account) = try await premises.database.write {
            connection -> (LinkState, LinkState, Challenge?, Account?) in
            guard let challenge = try connection.challenge(digest, for: .verify, in: realm),
                let owner = challenge.account,
                var account = try connection.account(owner, in: realm)
            else { return (.unknown, .unknown, nil, nil) }
            // The address was changed since.
            guard account.email == challenge.email else { return (.replaced, .replaced, nil, nil) }
            let state = LinkState(challenge, at: now)
            let shown = LinkState(challenge, account, at: now)
            guard state == .works, !isLooking else { return (state, shown, nil, account) }
            try connection.use(challenge, at: now)
            try connection.verifyEmail(of: owner, at: now)
            account.emailVerifiedAt = account.emailVerifiedAt ?? now
            return (.done, shown == .works ? .done : shown, challenge, account)
        }
        if let challenge { premises.mailbox.announceUse(of: challenge) }
        return (state, shown, account)
    }

    /// Sets the password of whom `code` was mailed to; everything issued
    /// before ends. `password` was checked; whom the code is for is judged
    /// when it is written, hashing takes its time.
    func reset(by code: String, to password: String, in realm: Realm) async throws -> LinkState {
        let hash = try await premises.hasher.hash(password)
        let digest = Digest.sha256(code)
        let now = premises.now(in: realm)
        let (state, challenge) = try await premises.database.write {
            connection -> (LinkState, Challenge?) in
            guard let challenge = try connection.challenge(digest, for: .reset, in: realm),
                let owner = challenge.account,
                let account = try connection.account(owner, in: realm),
                account.email == challenge.email, account.disabledAt == nil
            else { return (.unknown, nil) }
            let state = LinkState(challenge, at: now)
            guard state == .works else { return (state, nil) }
            try connection.use(challenge, at: now)
            try connection.takePassword(hash, of: account, at: now)
            return (.done, challenge)
        }
        if let challenge {
            premises.mailbox.announceUse(of: challenge)
            premises.limits.clear(Self.wrongPasswords, of: challenge.email, in: realm)
        }
        return state
    }

    /// What `code` is for, and whether it still works.
    func state(of code: String, in realm: Realm) async throws -> (ClarityLink, LinkState, Account?)
    {
        let digest = Digest.sha256(code)
        let now = premises.now(in: realm)
        return try await premises.database.read { connection in
            for link in ClarityLink.allCases {
                guard
                    let challenge = try connection.challenge(digest, for: link.purpose, in: realm),
                    let owner = challenge.account,
                    let account = try connection.account(owner, in: realm),
                    account.email == challenge.email
                else { continue }
                return (link, LinkState(challenge, at: now), account)
            }
            return (.verify, .unknown, nil)
        }
    }

    private static func check(_ state: LinkState) throws {
        switch state {
        case .works, .done: return
        case .expired: throw ClarityFailure.expiredCode
        case .used, .alreadyVerified, .replaced, .unknown: throw ClarityFailure.invalidCode
        }
    }
}

extension Connection {
    /// A password set by who reads the mail: the address is verified with
    /// it, everybody signed in before is not any more, and no other link or
    /// code sets one.
    func takePassword(_ hash: String, of account: Account, at now: Moment) throws {
        var person = ClarityPerson(account)
        person.setPassword(at: now)
        try setPassword(of: account.id, hash: hash)
        try verifyEmail(of: account.id, at: now)
        // Whoever resets the password is let in at once.
        try lock(account: account.id, until: nil)
        try setProfile(of: account.id, to: person.profile)
        for purpose in [Challenge.Purpose.reset, .resetCode] {
            try endChallenges(of: account.id, for: purpose, at: now)
        }
        try revokeSessions(of: account.id, because: .passwordChanged, at: now)
    }
}
