import Backend
import Web

/// Who may administer users.
extension SocotoContract {
    /// Throws unless the bearer token is the service key, or that of a user with its role.
    func requireAdmin(_ context: RequestContext) async throws {
        guard let token = Bearer(context.request).token else { throw GoTrueFailure.noAuthorization }
        if let role = try apiKeys.role(of: token, in: realm) {
            CheckTrace.record(.permission, role == .service, "\(role)")
            guard role == .service else { throw GoTrueFailure.adminOnly }
            return
        }
        let (account, _) = try await authenticateBearer(context)
        let role = SocotoUser(account).role
        let isAdmin = [ProjectAPIKeys.Role.service.rawValue, "supabase_admin"].contains(role)
        CheckTrace.record(.permission, isAdmin, role)
        guard isAdmin else { throw GoTrueFailure.adminOnly }
    }

    /// The id in the path, in lower case.
    func userID(_ context: RequestContext) throws(GoTrueFailure) -> String {
        try RandomTokens.uuid(parsing: context.parameters["user"] ?? "").orThrow(
            GoTrueFailure.malformedUserID)
    }

    /// The account that the path names.
    func administeredAccount(_ context: RequestContext) async throws -> Account {
        try await requireAdmin(context)
        return try await findAccount(userID(context)).orThrow(GoTrueFailure.unknownUser)
    }
}
