import SQLite
import Web

extension SocotoContract {
    /// GET /user.
    @Sendable func user(_ context: RequestContext) async throws -> Response {
        let account = try await authenticateBearer(context).account
        return .authJSON(SocotoUser(account).userObject(account))
    }

    /// POST /logout: of every session, of this one, or of the others.
    @Sendable func logout(_ context: RequestContext) async throws -> Response {
        let (account, session) = try await authenticateBearer(context)
        let scope = context.target.queryValue("scope") ?? "global"
        guard ["global", "local", "others"].contains(scope) else {
            throw SocotoAuthFailure.invalid("Unsupported logout scope \"\(scope.prefix(40))\"")
        }
        let now = services.now(in: realm(context))
        try await services.database.write { connection in
            guard scope != "local" else {
                return try connection.revoke(session: session.id, reason: .signedOut, at: now)
            }
            try connection.revokeSessions(
                of: account.id, except: scope == "others" ? session.id : nil, reason: .signedOut,
                at: now)
        }
        return Response(status: 204)
    }
}
