import Backend
import FoundationEssentials
import SQLite
import Web

/// The NestJS server's dialect: login, registration and the current user.
extension BobContract {
    /// POST /nest/api/auth/login.
    func nestLogin(_ context: RequestContext) async throws -> Response {
        let body = try NestBody(context.request)
        try body.check([.email, .password])
        let email = EmailAddress(body["email"])?.text
        let subject = "\(email ?? "") \(context.request.peer)"
        let account = try await authenticate(
            email: email, password: body["password"], limit: Self.failedLoginLimit, of: subject,
            failure: BobFailure.tooManyLogins
        ).accepted.orThrow(BobFailure.invalidCredentials)
        services.rateLimits.clear(Self.failedLoginLimit, of: subject, in: realm)
        let (session, refreshToken) = try await signIn(account, .nest)
        return try tokenResponse(account, session, refreshToken)
    }

    /// POST /nest/api/auth/register: responds with the user alone, without tokens.
    func nestRegister(_ context: RequestContext) async throws -> Response {
        let body = try NestBody(context.request)
        try body.check([
            .email, .newPassword, .personName("firstName"), .personName("lastName"), .phoneNumber,
        ])
        let address = try EmailAddress(body["email"]).orThrow(
            BobFailure([NestRule.email.message]))
        let phone = body["phoneNumber"]
        let account = try await createAccount(
            address, body["password"],
            BobProfile(
                firstName: body["firstName"], lastName: body["lastName"],
                phoneNumber: phone.isEmpty ? nil : phone, role: BobDialect.nest.defaultRole))
        return .json(userJSON(account), status: 201)
    }

    /// GET /nest/api/auth/me.
    func nestMe(_ context: RequestContext) async throws -> Response {
        let claims = try authenticateBearer(context)
        let account = try await findAccount(claims.subject).orThrow(BobFailure.invalidAccessToken)
        guard account.disabledAt == nil else { throw BobFailure.accountInactive }
        let profile = BobProfile(account)
        let createdAt = JSON.string(account.createdAt.date.iso8601)
        return .json([
            "id": .string(account.id), "email": JSON(account.email),
            "firstName": .string(profile.firstName), "lastName": .string(profile.lastName),
            "phoneNumber": JSON(profile.phoneNumber), "role": .string(profile.role),
            "systemRole": "user", "isActive": true,
            "emailVerified": .bool(account.emailVerifiedAt != nil), "createdAt": createdAt,
            "updatedAt": createdAt,
        ])
    }

    /// The response of login and refresh. `refreshToken` is left out if there is no new one.
    func tokenResponse(_ account: Account, _ session: BackendSession, _ refreshToken: String?)
        throws -> Response
    {
        let lifetime = accessTokens.lifetime(BobDialect.nest.accessTokenLifetime, of: account)
        return .json(
            .omittingNil([
                "accessToken": .string(try makeAccessToken(account, session, .nest)),
                "refreshToken": refreshToken.map(JSON.string), "tokenType": "Bearer",
                "expiresIn": .int(lifetime.components.seconds), "user": userJSON(account),
            ]))
    }

    private func userJSON(_ account: Account) -> JSON {
        let profile = BobProfile(account)
        let createdAt = JSON.string(account.createdAt.date.iso8601)
        return .omittingNil([
            "id": .string(account.id), "email": JSON(account.email),
            "firstName": .string(profile.firstName), "lastName": .string(profile.lastName),
            "phoneNumber": profile.phoneNumber.map(JSON.string), "role": .string(profile.role),
            "createdAt": createdAt, "updatedAt": createdAt,
        ])
    }

    // MARK: The NestJS server's dialect: refresh and logout

    /// POST /nest/api/auth/refresh, with the token in the body or in a cookie.
    func nestRefresh(_ context: RequestContext) async throws -> Response {
        try count(Self.refreshLimit, of: context.request.peer, failure: BobFailure.tooManyRefreshes)
        let body = try NestBody(context.request)
        try body.check([.refreshToken])
        let cookie = Cookies(context.request.headers)["refreshToken"] ?? ""
        let token = body["refreshToken"].isEmpty ? cookie : body["refreshToken"]
        guard !token.isEmpty else { throw BobFailure.missingRefreshToken }
        let outcome = try await rotate(token, dialect: .nest)
        switch outcome {
        case .unknown: throw BobFailure.invalidRefreshToken
        case .rejected(_, let ending): throw BobFailure.refreshTokenEnded(ending)
        case .rotated(let session, let account, let refreshToken):
            return try tokenResponse(account, session, refreshToken)
        }
    }

    /// POST /nest/api/auth/logout: ends every session of the account. Its access tokens stay valid
    /// until they expire.
    func nestLogout(_ context: RequestContext) async throws -> Response {
        let claims = try authenticateBearer(context)
        let accountExists = try await write { connection, now in
            guard let account = try connection.account(claims.subject, in: realm) else {
                return false
            }
            try connection.revokeSessions(of: account.id, reason: .signedOut, at: now)
            return true
        }
        guard accountExists else { throw BobFailure.invalidAccessToken }
        return .json(["message": "Successfully logged out from all devices"])
    }
}

/// A request body as the NestJS server validates it: each field has a list of rules, all broken
/// rules are reported at once, and unknown fields are rejected by name.
struct NestBody: Sendable {
    private let members: [JSON.Member]

    /// Reads a JSON object or a form. Any other body counts as empty.
    init(_ request: Request) throws {
        switch request.mediaType {
        case "application/json" where !request.body.isEmpty:
            guard let json = try? JSONReader.read(request.body) else {
                throw BobFailure(400, Self.syntaxError(in: request.body), [.body])
            }
            switch json {
            case .object(let members):
                self.members = members
                CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
            case .array: members = []
            default: throw BobFailure(400, "Unexpected token in JSON", [.body])
            }
        case "application/x-www-form-urlencoded":
            members = try Form(request).items.map { JSON.Member($0.name, .string($0.value)) }
        default: members = []
        }
    }

    /// The text of a validated field. Empty if it is absent.
    subscript(name: String) -> String { value(name)?.string ?? "" }

    /// Throws a 400 that lists every broken rule.
    func check(_ fields: [NestField]) throws(BobFailure) {
        let fieldNames = fields.map(\.name)
        var errors = members.map(\.name).filter { !fieldNames.contains($0) }.map {
            "property \($0.prefix(200)) should not exist"
        }
        for field in fields {
            let value = value(field.name)
            if field.isOptional, value == nil { continue }
            errors += field.rules(self).compactMap { rule in rule.allows(value) ? nil : rule.message
            }
        }
        guard errors.isEmpty else { throw BobFailure(errors) }
    }

    /// Null counts as absent.
    private func value(_ name: String) -> JSON? {
        let value = members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    /// V8's messages, without the parts that would repeat the body.
    private static func syntaxError(in body: [UInt8]) -> String {
        let last = body.last { !" \t\r\n".utf8.contains($0) }
        return last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
            ? "Unexpected token in JSON" : "Unexpected end of JSON input"
    }
}

/// A field in a request body of the NestJS server, with its rules.
struct NestField: Sendable {
    let name: String
    var isOptional = false
    /// The rules may depend on the other fields.
    let rules: @Sendable (NestBody) -> [NestRule]

    static let email = NestField(name: "email") { _ in [.email] }

    static let password = NestField(name: "password") { _ in
        [.notEmpty("password"), .string("password")]
    }

    static func personName(_ name: String) -> NestField {
        NestField(name: name) { _ in [.notEmpty(name), .string(name), .maxLength(100, name)] }
    }

    static let phoneNumber = NestField(name: "phoneNumber", isOptional: true) { _ in [.phoneNumber]
    }

    static let refreshToken = NestField(name: "refreshToken", isOptional: true) { _ in
        [.string("refreshToken")]
    }

    private static let specialCharacters = "!@#$%^&*()_+-=[]{}|;:,.<>?"

    /// A new password: 8 to 128 characters with every kind of character.
    static let newPassword = NestField(name: "password") { body in
        let email = EmailAddress(body["email"])?.text ?? ""
        return [
            .notEmpty("password"), .string("password"), .minLength(8, "password"),
            // The hash would ignore the end of a longer password, or everything after a NUL.
            NestRule(NestRule.maxLength(128, "password").message) {
                $0.utf16.count <= 128 && $0.utf8.count <= JSONBody.passwordLimit
                    && !$0.utf8.contains(0)
            },
            NestRule(
                """
                Password must contain at least one uppercase letter, one \
                lowercase letter, one number, and one special character
                """
            ) { password in
                password.contains { $0.isASCII && $0.isUppercase }
                    && password.contains { $0.isASCII && $0.isLowercase }
                    && password.contains { $0.isASCII && $0.isNumber }
                    && password.contains(where: specialCharacters.contains)
            },
            NestRule("Password must not begin or end with a space") {
                $0.first?.isWhitespace != true && $0.last?.isWhitespace != true
            },
            NestRule("Password must not contain your email address") {
                email.isEmpty || !$0.lowercased().contains(email)
            },
        ]
    }
}

/// One rule of the NestJS server's validator, with its message.
struct NestRule: Sendable {
    let message: String
    /// A missing or null field is nil.
    let allows: @Sendable (JSON?) -> Bool

    private init(message: String, allows: @escaping @Sendable (JSON?) -> Bool) {
        self.message = message
        self.allows = allows
    }

    /// A rule for a text. A value that is not a text breaks it.
    init(_ message: String, _ allows: @escaping @Sendable (String) -> Bool) {
        self.init(message: message) { $0?.string.map(allows) ?? false }
    }

    static let email = NestRule("Please provide a valid email address") {
        guard let address = EmailAddress($0) else { return false }
        // A top-level domain consists of letters.
        let topLevelDomain = address.text.split(separator: ".").last ?? ""
        return topLevelDomain.count >= 2 && topLevelDomain.allSatisfy(\.isLetter)
    }

    static func notEmpty(_ name: String) -> NestRule {
        NestRule(message: "\(name) should not be empty") { $0.map { $0 != "" } ?? false }
    }

    static func string(_ name: String) -> NestRule {
        NestRule("\(name) must be a string") { _ in true }
    }

    /// Lengths count UTF-16 code units, as in JavaScript.
    static func minLength(_ count: Int, _ name: String) -> NestRule {
        NestRule("\(name) must be longer than or equal to \(count) characters") {
            $0.utf16.count >= count
        }
    }

    static func maxLength(_ count: Int, _ name: String) -> NestRule {
        NestRule("\(name) must be shorter than or equal to \(count) characters") {
            $0.utf16.count <= count
        }
    }

    /// E.164: a plus sign and two to fifteen digits.
    static let phoneNumber = NestRule("Phone number must be in E.164 format") {
        let digits = $0.utf8.dropFirst()
        return $0.hasPrefix("+") && (2...15).contains(digits.count)
            && digits.first != UInt8(ascii: "0") && digits.allSatisfy(\.isDigit)
    }
}
