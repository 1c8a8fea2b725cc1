import Backend
import Crypto
import SQLite
import Web

/// The second factors of any user, for administrators: a user who lost one is recovered by its
/// removal.
extension SocotoContract {
    var factorAdministrationRoutes: [Route] {
        let path = "/admin/users/{user}/factors"
        return [
            authRoute(.get, path, Self.listFactors, [.permission, .account]),
            authRoute(
                .put, path + "/{factor}", Self.updateFactor, [.permission, .account] + .json),
            authRoute(.delete, path + "/{factor}", Self.removeFactor, [.permission, .account]),
        ]
    }

    /// GET /admin/users/{id}/factors.
    func listFactors(_ context: RequestContext) async throws -> Response {
        let account = try await administeredAccount(context)
        return .plainJSON(.array(account.factors.map(\.goTrueObject)))
    }

    /// PUT /admin/users/{id}/factors/{id}: another name or number.
    func updateFactor(_ context: RequestContext) async throws -> Response {
        let account = try await administeredAccount(context)
        let factor = try Self.factor(context, of: account)
        let body = try GoTrueBody(context.request, as: "adminUserUpdateFactorParams")
        let name = try body.text("friendly_name")
        try Self.checkFactorName(name)
        let number = try body.text("phone")
        let phone =
            number.isEmpty || factor.kind != .phone
            ? nil : try GoTruePhoneNumber.parse(number)
        let updated = try await write { connection, now in
            var factor = try currentFactor(factor, of: account, on: connection)
            if !name.isEmpty { factor.name = name }
            if let phone { factor.phone = phone }
            if !name.isEmpty || phone != nil { factor.updatedAt = now }
            try connection.save(factor)
            try recordAdministration(
                .factorUpdated, of: account,
                ["factor_id": .string(factor.id), "factor_type": factor.type],
                on: connection, at: now)
            return factor
        }
        return .plainJSON(updated.goTrueObject)
    }

    /// DELETE /admin/users/{id}/factors/{id}.
    func removeFactor(_ context: RequestContext) async throws -> Response {
        let account = try await administeredAccount(context)
        let factor = try Self.factor(context, of: account)
        let ipAddress = context.request.peer
        try await write { connection, now in
            let factor = try currentFactor(factor, of: account, on: connection)
            try connection.removeGoTrueFactor(factor, of: account)
            // As at the real server, the log names the user as the one who did it.
            try record(
                .factorDeleted, by: account,
                ["factor_id": .string(factor.id), "user_id": .string(account.id)],
                from: ipAddress, on: connection, at: now)
        }
        return .plainJSON(factor.goTrueObject)
    }

    /// The factor as it is inside a write.
    private func currentFactor(_ factor: Factor, of account: Account, on connection: Connection)
        throws -> Factor
    {
        let factors = try connection.account(account.id, in: realm)?.factors ?? []
        return try factors.first { $0.id == factor.id }.orThrow(GoTrueFailure.factorNotFound)
    }
}
