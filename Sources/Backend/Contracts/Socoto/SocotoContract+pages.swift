import SQLite
import Secrets
import Web

/// The pages behind links whose sender named no place of their own.
extension SocotoContract {
    /// GET /site: says what the link did; without `done` it did nothing.
    @Sendable func site(_ visit: Visit) async throws -> Response {
        let done = visit.target.value("done").flatMap { SocotoLink(type: $0) }
        return SocotoPages.site(done).response
    }

    /// GET /reset?token=…: asks for the new password; uses nothing up.
    @Sendable func resetForm(_ visit: Visit) async throws -> Response {
        let token = visit.target.value("token") ?? ""
        let state = try await resetState(token, in: realm(visit))
        return state == .works
            ? SocotoPages.newPassword(token: token).response : SocotoPages.reset(state).response
    }

    /// POST /reset: sets the new password and signs out everywhere.
    @Sendable func reset(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let token = form["token"] ?? ""
        let password = form["password"] ?? ""
        let realm = realm(visit)
        let state = try await resetState(token, in: realm)
        guard state == .works else { return SocotoPages.reset(state).response }
        do { try SocotoPassword.check(password) } catch {
            return SocotoPages.newPassword(token: token, error: error.message).response
        }
        let hash = try await premises.hasher.hash(password)
        let now = premises.now(in: realm)
        let challenge = try await premises.database.write { connection -> Challenge? in
            guard
                let challenge = try Self.challenge(
                    of: token, for: .reset, in: realm, on: connection),
                case (let account, var person)? = try apply(challenge, on: connection, at: now)
            else { return nil }
            try connection.take(password: hash, of: account, &person, keeping: nil, at: now)
            try connection.save(person, of: account)
            return challenge
        }
        guard let challenge else { return SocotoPages.reset(.used).response }
        premises.mailbox.announceUse(of: challenge)
        return SocotoPages.reset(.done).response
    }

    /// What a link for a new password would do.
    func resetState(_ token: String, in realm: Realm) async throws -> LinkState {
        let now = premises.now(in: realm)
        return try await premises.database.read { connection in
            guard
                let challenge = try Self.challenge(
                    of: token, for: .reset, in: realm, on: connection),
                let owner = challenge.account,
                let account = try connection.account(owner, in: realm),
                // Who reads an address it had before is nobody here.
                account.email == challenge.email
            else { return .unknown }
            return LinkState(challenge, account, at: now)
        }
    }
}
