import FoundationEssentials
import SQLite
import Web

/// The NestJS server's dialect: signing in, and who one is.
extension BobContract {
    /// POST /nest/api/auth/login.
    @Sendable func nestLogin(_ visit: Visit) async throws -> Response {
        let body = try NestBody(visit.request)
        try body.check([.email, .password])
        let realm = realm(visit)
        let email = EmailAddress(body["email"])?.text ?? ""
        let subject = "\(email) \(visit.request.peer)"
        try checkFailures(of: subject, in: realm)
        let found = try await account(email: email, password: body["password"], in: realm)
        guard let account = found else {
            // Of many at once only so many are told.
            let end = premises.limits.take(
                Self.failedLogins, of: subject, in: realm, at: premises.now(in: realm))
            throw end == nil ? BobFailure.invalidCredentials : .tooManyLogins
        }
        // Nor does a right guess among them count that came too late.
        try checkFailures(of: subject, in: realm)
        premises.limits.clear(Self.failedLogins, of: subject, in: realm)
        let signIn = try await signIn(account, .nest)
        return try signedIn(account, signIn.session, signIn.refreshToken)
    }

    private func checkFailures(of subject: String, in realm: Realm) throws(BobFailure) {
        let end = premises.limits.freeAt(
            Self.failedLogins, of: subject, in: realm, at: premises.now(in: realm))
        guard end == nil else { throw .tooManyLogins }
    }

    /// POST /nest/api/auth/register: the user alone, no tokens.
    @Sendable func nestRegister(_ visit: Visit) async throws -> Response {
        let body = try NestBody(visit.request)
        try body.check([.email, .newPassword, .name("firstName"), .name("lastName"), .phoneNumber])
        guard let address = EmailAddress(body["email"]) else {
            throw BobFailure.rules([NestRule.email.words])
        }
        let phone = body["phoneNumber"]
        let account = try await add(
            address, body["password"],
            BobProfile(
                firstName: body["firstName"], lastName: body["lastName"],
                phoneNumber: phone.isEmpty ? nil : phone, role: BobDialect.nest.role),
            in: realm(visit))
        return .json(user(account), status: 201)
    }

    /// GET /nest/api/auth/me.
    @Sendable func nestMe(_ visit: Visit) async throws -> Response {
        let claims = try bearer(visit)
        let realm = realm(visit)
        let found = try await premises.database.read { connection in
            try connection.account(claims.subject, in: realm)
        }
        guard let account = found else { throw BobFailure.invalidAccessToken }
        guard account.disabledAt == nil else { throw BobFailure.inactive }
        let profile = BobProfile(account)
        let made = JSON.string(account.createdAt.date.iso8601)
        return .json([
            "id": .string(account.id), "email": JSON(account.email),
            "firstName": .string(profile.firstName),
            "lastName": .string(profile.lastName),
            "phoneNumber": JSON(profile.phoneNumber),
            "role": .string(profile.role), "systemRole": "user",
            "isActive": true,
            "emailVerified": .bool(account.emailVerifiedAt != nil),
            "createdAt": made, "updatedAt": made,
        ])
    }

    /// The answer of login and refresh; without `refreshToken` where there is
    /// no new one.
    func signedIn(_ account: Account, _ session: Session, _ refreshToken: String?) throws
        -> Response
    {
        var members: [JSON.Member] = [
            .init("accessToken", .string(try accessToken(account, session, .nest)))
        ]
        if let refreshToken { members.append(.init("refreshToken", .string(refreshToken))) }
        members += [
            .init("tokenType", "Bearer"),
            .init(
                "expiresIn",
                .int(tokens.life(BobDialect.nest.accessLife, of: account).components.seconds)),
            .init("user", user(account)),
        ]
        return .json(.object(members))
    }

    private func user(_ account: Account) -> JSON {
        let profile = BobProfile(account)
        let made = JSON.string(account.createdAt.date.iso8601)
        var members: [JSON.Member] = [
            .init("id", .string(account.id)), .init("email", JSON(account.email)),
            .init("firstName", .string(profile.firstName)),
            .init("lastName", .string(profile.lastName)),
        ]
        if let phone = profile.phoneNumber { members.append(.init("phoneNumber", .string(phone))) }
        members += [
            .init("role", .string(profile.role)), .init("createdAt", made),
            .init("updatedAt", made),
        ]
        return .object(members)
    }
}
