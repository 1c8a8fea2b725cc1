import SQLite
import Secrets
import Web

/// The pages behind the mails' links.
extension MysticaContract {
    /// GET /verify?token=…: following the link verifies.
    ///
    /// HEAD, which scanners send, shows nothing and uses nothing up.
    @Sendable func verify(_ visit: Visit) async throws -> Response {
        let realm = realm(visit)
        guard let digest = Self.digest(visit.target) else { return page(.verify, .unknown) }
        let now = premises.now(in: realm)
        let isLooking = visit.request.method == .head
        let (state, challenge) = try await premises.database.write {
            connection -> (LinkState, Challenge?) in
            guard let challenge = try connection.challenge(digest, for: .verify, in: realm),
                let owner = challenge.account,
                let account = try connection.account(owner, in: realm)
            else { return (.unknown, nil) }
            let state = LinkState(challenge, account, at: now)
            guard state == .works, !isLooking else { return (state, nil) }
            try connection.use(challenge, at: now)
            try connection.verifyEmail(of: owner, at: now)
            return (.done, challenge)
        }
        if let challenge { premises.mailbox.announceUse(of: challenge) }
        return page(.verify, state)
    }

    /// GET /reset?token=…: asks for the new password; uses nothing up.
    @Sendable func resetForm(_ visit: Visit) async throws -> Response {
        let secret = Self.token(visit.target) ?? ""
        let state = try await resetState(secret, in: realm(visit))
        return state == .works
            ? MysticaPages.newPassword(secret: secret).response : page(.reset, state)
    }

    /// POST /reset: sets the new password and signs out everywhere.
    @Sendable func reset(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let secret = form["token"] ?? ""
        let password = form["password"] ?? ""
        let realm = realm(visit)
        let state = try await resetState(secret, in: realm)
        guard state == .works else { return page(.reset, state) }
        if let error = Self.objection(to: password) {
            return MysticaPages.newPassword(secret: secret, error: error).response
        }
        let hash = try await premises.hasher.hash(password)
        let now = premises.now(in: realm)
        let digest = Digest.sha256(secret)
        let (final, challenge) = try await premises.database.write {
            connection -> (LinkState, Challenge?) in
            guard let challenge = try connection.challenge(digest, for: .reset, in: realm),
                let owner = challenge.account,
                let account = try connection.account(owner, in: realm)
            else { return (.unknown, nil) }
            let state = LinkState(challenge, account, at: now)
            guard state == .works else { return (state, nil) }
            try connection.use(challenge, at: now)
            try connection.setPassword(of: owner, hash: hash)
            try connection.verifyEmail(of: owner, at: now)
            try connection.revokeSessions(of: owner, because: .passwordChanged, at: now)
            return (.done, challenge)
        }
        if let challenge { premises.mailbox.announceUse(of: challenge) }
        return page(.reset, final)
    }

    private func resetState(_ secret: String, in realm: Realm) async throws -> LinkState {
        let digest = Digest.sha256(secret)
        let now = premises.now(in: realm)
        return try await premises.database.read { connection in
            guard let challenge = try connection.challenge(digest, for: .reset, in: realm),
                let owner = challenge.account,
                let account = try connection.account(owner, in: realm)
            else { return .unknown }
            return LinkState(challenge, account, at: now)
        }
    }

    private func page(_ link: MysticaLink, _ state: LinkState) -> Response {
        MysticaPages.page(link, state).response
    }

    /// What is wrong with a new password, nil if nothing is.
    private static func objection(to password: String) -> String? {
        if password.utf16.count < shortestPassword {
            return "Password must be at least 8 characters"
        }
        if password.utf8.count > JSONBody.passwordLimit {
            return "Password must have at most \(JSONBody.passwordLimit) bytes"
        }
        return nil
    }

    private static func token(_ target: Target) -> String? {
        target.query.first { $0.name == "token" }?.value
    }

    private static func digest(_ target: Target) -> String? {
        token(target).map { Digest.sha256($0) }
    }
}
