import Backend
import Crypto
import SQLite
import Web

/// The pages behind the mailed links.
extension MysticaContract {
    /// GET /verify?token=…: following the link verifies the address.
    ///
    /// A HEAD request, which link scanners send, shows nothing and does not use the link up.
    @Sendable func verify(_ context: RequestContext) async throws -> Response {
        let realm = realm(context)
        guard let digest = Self.tokenDigest(context.target) else {
            return pageResponse(.verify, .unknown)
        }
        let now = services.now(in: realm)
        let isPreview = context.request.method == .head
        let (state, challenge) = try await services.database.write {
            connection -> (LinkState, Challenge?) in
            guard let challenge = try connection.challenge(digest, for: .verify, in: realm),
                let owner = challenge.accountID,
                let account = try connection.account(owner, in: realm)
            else { return (.unknown, nil) }
            let state = LinkState(challenge, account, at: now)
            guard state == .valid, !isPreview else { return (state, nil) }
            try connection.markUsed(challenge, at: now)
            try connection.verifyEmail(of: owner, at: now)
            return (.completed, challenge)
        }
        if let challenge { services.mailbox.publishUsed(of: challenge) }
        return pageResponse(.verify, state)
    }

    /// GET /reset?token=…: shows the form for a new password. It does not use the link up.
    @Sendable func showResetForm(_ context: RequestContext) async throws -> Response {
        let secret = Self.tokenParameter(context.target) ?? ""
        let state = try await resetLinkState(secret, in: realm(context))
        return state == .valid
            ? MysticaPages.newPasswordForm(secret: secret).response : pageResponse(.reset, state)
    }

    /// POST /reset: sets the new password and ends every session.
    @Sendable func reset(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let secret = form["token"] ?? ""
        let password = form["password"] ?? ""
        let realm = realm(context)
        let state = try await resetLinkState(secret, in: realm)
        guard state == .valid else { return pageResponse(.reset, state) }
        if let error = Self.passwordError(for: password) {
            return MysticaPages.newPasswordForm(secret: secret, error: error).response
        }
        let hash = try await services.hasher.hash(password)
        let now = services.now(in: realm)
        let digest = Digest.sha256(secret)
        let (finalState, challenge) = try await services.database.write {
            connection -> (LinkState, Challenge?) in
            guard let challenge = try connection.challenge(digest, for: .reset, in: realm),
                let owner = challenge.accountID,
                let account = try connection.account(owner, in: realm)
            else { return (.unknown, nil) }
            let state = LinkState(challenge, account, at: now)
            guard state == .valid else { return (state, nil) }
            try connection.markUsed(challenge, at: now)
            try connection.setPassword(of: owner, hash: hash)
            try connection.verifyEmail(of: owner, at: now)
            try connection.revokeSessions(of: owner, reason: .passwordChanged, at: now)
            return (.completed, challenge)
        }
        if let challenge { services.mailbox.publishUsed(of: challenge) }
        return pageResponse(.reset, finalState)
    }

    private func resetLinkState(_ secret: String, in realm: Realm) async throws -> LinkState {
        let digest = Digest.sha256(secret)
        let now = services.now(in: realm)
        return try await services.database.read { connection in
            guard let challenge = try connection.challenge(digest, for: .reset, in: realm),
                let owner = challenge.accountID,
                let account = try connection.account(owner, in: realm)
            else { return .unknown }
            return LinkState(challenge, account, at: now)
        }
    }

    private func pageResponse(_ link: MysticaLink, _ state: LinkState) -> Response {
        MysticaPages.page(link, state).response
    }

    /// Why a new password is invalid, or nil.
    private static func passwordError(for password: String) -> String? {
        if password.utf16.count < minPasswordLength {
            return "Password must be at least 8 characters"
        }
        if password.utf8.count > JSONBody.passwordLimit {
            return "Password must have at most \(JSONBody.passwordLimit) bytes"
        }
        return nil
    }

    private static func tokenParameter(_ target: RequestTarget) -> String? {
        target.query.first { $0.name == "token" }?.value
    }

    private static func tokenDigest(_ target: RequestTarget) -> String? {
        tokenParameter(target).map { Digest.sha256($0) }
    }
}
