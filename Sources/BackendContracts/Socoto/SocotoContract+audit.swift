import Backend
import SQLite
import Web

/// What the auth server writes to its audit log. The raw value is the entry's `action`.
enum AuditAction: String, Sendable {
    case login, logout
    case userSignedUp = "user_signedup"
    case userInvited = "user_invited"
    case userDeleted = "user_deleted"
    case userModified = "user_modified"
    case recoveryRequested = "user_recovery_requested"
    case reauthenticateRequested = "user_reauthenticate_requested"
    case confirmationRequested = "user_confirmation_requested"
    case repeatedSignUp = "user_repeated_signup"
    case passwordUpdated = "user_updated_password"
    case tokenRefreshed = "token_refreshed"
    case tokenRevoked = "token_revoked"
    case identityLinked = "identity_linked"
    case identityUnlinked = "identity_unlinked"
    case factorEnrolled = "factor_in_progress"
    case factorUnenrolled = "factor_unenrolled"
    case factorChallenged = "challenge_created"
    case factorVerified = "verification_attempted"
    case factorDeleted = "factor_deleted"
    case factorUpdated = "factor_updated"

    /// The entry's `log_type`.
    fileprivate var logType: String {
        switch self {
        case .login, .logout: "account"
        case .userSignedUp, .userInvited, .userDeleted: "team"
        case .tokenRefreshed, .tokenRevoked: "token"
        case .factorEnrolled, .factorUnenrolled, .factorChallenged, .factorVerified,
            .factorDeleted, .factorUpdated:
            "factor"
        default: "user"
        }
    }
}

extension SocotoContract {
    /// Records what a user did, inside a write. The real server records the client's address only
    /// with some actions.
    func record(
        _ action: AuditAction, by actor: Account, _ traits: KeyValuePairs<String, JSON> = [:],
        from ipAddress: String = "", on connection: Connection, at now: Timestamp
    ) throws {
        let name = JSON.object(SocotoUser(actor).metadata)["full_name"]
        try record(
            action, of: actor, actorID: actor.id, name: name,
            username: actor.phone == nil ? actor.email ?? "" : actor.goTruePhone,
            traits.map { .init($0.key, $0.value) }, from: ipAddress, on: connection, at: now)
    }

    /// Records what happened to an identity of `actor`, inside a write.
    func record(
        _ action: AuditAction, of identity: Identity, by actor: Account, from ipAddress: String,
        on connection: Connection, at now: Timestamp
    ) throws {
        try record(
            action, by: actor,
            [
                "identity_id": .string(identity.id), "provider": .string(identity.provider),
                "provider_id": .string(identity.subject),
            ], from: ipAddress, on: connection, at: now)
    }

    /// Records what an administrator did to `account`, inside a write: by default with its address
    /// and its number.
    func recordAdministration(
        _ action: AuditAction, of account: Account,
        _ traits: KeyValuePairs<String, JSON>? = nil, on connection: Connection, at now: Timestamp
    ) throws {
        let traits =
            traits ?? [
                "user_email": .string(account.email ?? ""),
                "user_phone": .string(account.goTruePhone),
            ]
        try record(
            action, of: account, actorID: "00000000-0000-0000-0000-000000000000", name: nil,
            username: ProjectAPIKeys.Role.service.rawValue,
            traits.map { .init($0.key, $0.value) } + [.init("user_id", .string(account.id))],
            from: "", on: connection, at: now)
    }

    private func record(
        _ action: AuditAction, of account: Account, actorID: String, name: JSON?, username: String,
        _ traits: [JSON.Member], from ipAddress: String, on connection: Connection,
        at now: Timestamp
    ) throws {
        let payload = JSON.omittingNil([
            "action": .string(action.rawValue), "actor_id": .string(actorID), "actor_name": name,
            "actor_username": .string(username), "actor_via_sso": false,
            "log_type": .string(action.logType),
            "traits": traits.isEmpty
                ? nil : .object(traits.sorted { $0.name < $1.name }),
        ])
        try connection.add(
            AuditEntry(
                id: RandomTokens.uuid(services.world), accountID: account.id,
                payload: payload.description, ipAddress: ipAddress, createdAt: now), in: realm)
    }

    /// GET /admin/audit: a page of the log, newest first. `query` is a scope and a text.
    func auditLog(_ context: RequestContext) async throws -> Response {
        try await requireAdmin(context)
        let page = try AdminPage(context.target)
        var text: String?
        var paths: [String] = []
        if let query = context.target.queryValue("query") {
            let parts = query.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let found = Self.auditPaths[String(parts[0])] else {
                throw GoTrueFailure.invalid("Invalid query scope: \(query.prefix(80))")
            }
            paths = found
            text = parts[1].isEmpty ? nil : String(parts[1])
        }
        let filter = (text: text, paths: paths)
        let (entries, total) = try await database.read { connection in
            try connection.auditEntries(
                containing: filter.text, at: filter.paths, offset: page.offset, limit: page.size,
                in: realm)
        }
        let items = entries.map { entry -> JSON in
            [
                "id": .string(entry.id), "payload": (try? JSON(parsing: entry.payload)) ?? .null,
                "created_at": .string(entry.createdAt.date.iso8601),
                "ip_address": .string(entry.ipAddress),
            ]
        }
        return page.response(.array(items), total: total, at: administrationPath + "/audit")
    }

    /// What each scope of a query searches.
    private static let auditPaths = [
        "author": ["$.actor_username", "$.actor_name"], "action": ["$.action"],
        "type": ["$.log_type"],
    ]
}
