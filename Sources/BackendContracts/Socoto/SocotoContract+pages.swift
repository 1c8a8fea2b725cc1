import Backend
import Crypto
import SQLite
import Web

/// Pages for links whose sender named no redirect URL.
extension SocotoContract {
    /// GET /site: shows what the link did. Without `done` it did nothing.
    @Sendable func showSitePage(_ context: RequestContext) async throws -> Response {
        let link = context.target.queryValue("done").flatMap { SocotoLink(type: $0) }
        return SocotoPages.sitePage(link).response
    }

    /// GET /reset?token=…: shows the form for a new password. It does not use the link up.
    @Sendable func showResetForm(_ context: RequestContext) async throws -> Response {
        let token = context.target.queryValue("token") ?? ""
        let state = try await resetLinkState(token, in: realm(context))
        return state == .valid
            ? SocotoPages.newPasswordForm(token: token).response
            : SocotoPages.resetPage(state).response
    }

    /// POST /reset: sets the new password and ends every session.
    @Sendable func reset(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let token = form["token"] ?? ""
        let password = form["password"] ?? ""
        let realm = realm(context)
        let state = try await resetLinkState(token, in: realm)
        guard state == .valid else { return SocotoPages.resetPage(state).response }
        do { try SocotoPasswordPolicy.check(password) } catch {
            return SocotoPages.newPasswordForm(token: token, error: error.message).response
        }
        let hash = try await services.hasher.hash(password)
        let now = services.now(in: realm)
        let challenge = try await services.database.write { connection -> Challenge? in
            guard
                let challenge = try Self.findChallenge(
                    token: token, for: .reset, in: realm, on: connection),
                case (let account, var user)? = try apply(challenge, on: connection, at: now)
            else { return nil }
            try connection.changePassword(
                hash: hash, of: account, &user, keepingSession: nil, at: now)
            try connection.save(user, of: account)
            return challenge
        }
        guard let challenge else { return SocotoPages.resetPage(.used).response }
        services.mailbox.publishUsed(of: challenge)
        return SocotoPages.resetPage(.completed).response
    }

    /// The state of a link for a new password.
    func resetLinkState(_ token: String, in realm: Realm) async throws -> LinkState {
        let now = services.now(in: realm)
        return try await services.database.read { connection in
            guard
                let challenge = try Self.findChallenge(
                    token: token, for: .reset, in: realm, on: connection),
                let owner = challenge.accountID,
                let account = try connection.account(owner, in: realm),
                // A link mailed to a former address of the account does not work.
                account.email == challenge.email
            else { return .unknown }
            return LinkState(challenge, account, at: now)
        }
    }
}
