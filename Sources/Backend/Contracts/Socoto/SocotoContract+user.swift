import SQLite
import Web

extension SocotoContract {
    /// GET /user.
    @Sendable func user(_ visit: Visit) async throws -> Response {
        let account = try await bearer(visit).account
        return .auth(SocotoPerson(account).user(account))
    }

    /// POST /logout: of every session, of this one, or of the others.
    @Sendable func logout(_ visit: Visit) async throws -> Response {
        let (account, session) = try await bearer(visit)
        let scope = visit.target.value("scope") ?? "global"
        guard ["global", "local", "others"].contains(scope) else {
            throw SocotoFailure.invalid("Unsupported logout scope \"\(scope.prefix(40))\"")
        }
        let now = premises.now(in: realm(visit))
        try await premises.database.write { connection in
            guard scope != "local" else {
                return try connection.revoke(session: session.id, because: .signedOut, at: now)
            }
            try connection.revokeSessions(
                of: account.id, except: scope == "others" ? session.id : nil, because: .signedOut,
                at: now)
        }
        return Response(status: 204)
    }
}
