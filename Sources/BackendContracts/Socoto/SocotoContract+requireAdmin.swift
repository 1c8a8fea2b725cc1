import Backend
import Web

extension SocotoContract {
    /// Throws unless the bearer token is the project's service key.
    func requireAdmin(_ context: RequestContext) async throws {
        guard let token = Bearer(context.request).token else { throw GoTrueFailure.noAuthorization }
        guard try apiKeys.role(of: token, in: realm) != .service else { return }
        if case .invalid = accessTokens.validate(token, at: now),
            try apiKeys.role(of: token, in: realm) == nil
        {
            throw GoTrueFailure.invalidJWT("token signature is invalid: signature is invalid")
        }
        throw GoTrueFailure(403, "not_admin", "User not allowed", [.permission])
    }
}
