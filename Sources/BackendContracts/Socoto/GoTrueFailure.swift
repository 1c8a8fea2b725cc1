import Backend
import FoundationEssentials
import Web

/// A failure of the auth server in either of its two dialects.
///
/// A request whose `X-Supabase-Api-Version` is 2024-01-01 or later gets `{"code","message"}`, any
/// other `{"code":400,"error_code","msg"}`.
struct GoTrueFailure: ServerFailure {
    /// Its details are an object whose members follow the usual ones, such as `weak_password`.
    let row: FailureRow

    func response(to request: Request) -> Response {
        let isNew = GoTrueAPIVersion.isNew(request)
        var members: [JSON.Member] =
            isNew
            ? [.init("code", .string(code)), .init("message", .string(message))]
            : [
                .init("code", .int(Int64(status))), .init("error_code", .string(code)),
                .init("msg", .string(message)),
            ]
        if case .object(let added)? = details { members += added }
        var response = Response.plainJSON(.object(members), status: status)
        response.headers["x-sb-error-code"] = code
        if isNew {
            // Clients ignore the code without this header.
            response.headers[GoTrueAPIVersion.headerName] = GoTrueAPIVersion.newest
        }
        return response
    }

    /// A 400 with the code of most invalid fields.
    static func invalid(_ message: String) -> Self { Self(400, "validation_failed", message) }

    static func badJSON(
        _ reason: String, what: String = "Could not parse request body as JSON"
    ) -> Self { Self(400, "bad_json", "\(what): \(reason)", [.body]) }

    static let tooManyRequests = Self(
        429, "over_request_rate_limit", "Request rate limit reached", [.rateLimit])

    // MARK: Accounts

    static let signupsDisabled = Self(
        422, "signup_disabled", "Signups not allowed for this instance", [.featureEnabled])
    static let anonymousSignInsDisabled = Self(
        422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled", [.featureEnabled])
    static let phoneSignupsDisabled = Self(
        400, "phone_provider_disabled", "Phone signups are disabled", [.featureEnabled])
    static let phoneLoginsDisabled = Self(
        422, "phone_provider_disabled", "Phone logins are disabled", [.featureEnabled])
    static let userExists = Self(
        422, "user_already_exists", "User already registered", [.emailAvailable])
    static let emailExists = Self(
        422, "email_exists", "A user with this email address has already been registered",
        [.emailAvailable])
    static let invalidCredentials = Self(
        400, "invalid_credentials", "Invalid login credentials", .credentials)
    static let unsupportedGrantType = Self(400, "invalid_credentials", "unsupported_grant_type")
    static let emailNotConfirmed = Self(
        400, "email_not_confirmed", "Email not confirmed", [.emailVerified])
    static let userBanned = Self(400, "user_banned", "User is banned", [.accountActive])
    static let samePassword = Self(
        422, "same_password", "New password should be different from the old password.", [.state])
    /// Of two concurrent password changes the first wins.
    static let concurrentPasswordChange = Self(
        409, "conflict", "The password was changed by another request at the same time.", [.state])
    static let notAdmin = Self(
        403, "not_admin", "Updating app_metadata requires admin privileges", [.permission])

    // MARK: Bearer tokens

    static let noAuthorization = Self(
        401, "no_authorization", "This endpoint requires a valid Bearer token",
        [.authorizationHeader])
    static let missingSubject = Self(403, "bad_jwt", "invalid claim: missing sub claim", .anyToken)
    static let userNotFound = Self(
        403, "user_not_found", "User from sub claim in JWT does not exist", [.tokenAccount])
    static let sessionNotFound = Self(
        403, "session_not_found", "Session from session_id claim in JWT does not exist", [.session])
    static let bearerUserBanned = Self(403, "user_banned", "User is banned", [.accountActive])

    /// `reason` is the message of the real server's library.
    static func invalidJWT(_ reason: String) -> Self {
        Self(
            403, "bad_jwt", "invalid JWT: unable to parse or verify signature, " + reason, .anyToken
        )
    }

    // MARK: Refresh tokens

    static let malformedRefreshToken = invalid("Refresh token is not valid")
    static let unknownRefreshToken = Self(
        400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found",
        .anyRefreshToken)
    static let usedRefreshToken = Self(
        400, "refresh_token_already_used", "Invalid Refresh Token: Already Used", .anyRefreshToken)
    static let refreshUserBanned = Self(
        400, "user_banned", "Invalid Refresh Token: User Banned", [.accountActive])

    // MARK: Mailed links and codes

    static let codeExpired = Self(403, "otp_expired", "Token has expired or is invalid", .anyCode)
    static let linkExpired = Self(
        403, "otp_expired", "Email link is invalid or has expired", .anyCode)

    static func mailRateLimited(seconds: Int64) -> Self {
        Self(
            429, "over_email_send_rate_limit",
            "For security purposes, you can only request this after \(seconds) seconds.",
            [.rateLimit])
    }

    // MARK: PKCE flows

    static let incompleteCodeChallenge = invalid(
        "PKCE flow requires code_challenge_method and code_challenge")
    static let flowNotFound = Self(
        404, "flow_state_not_found", "invalid flow state, no valid flow state found", [.code])
    static let flowExpired = Self(
        422, "flow_state_expired", "invalid flow state, flow state has expired", [.code])
    static let wrongVerifier = Self(
        400, "bad_code_verifier", "code challenge does not match previously saved code verifier",
        [.code])
}

/// The date header by which a client selects the response dialect.
enum GoTrueAPIVersion {
    static let headerName = "X-Supabase-Api-Version"
    /// Later dates get the responses of this version.
    static let newest = "2024-01-01"

    /// Whether the request selects the new dialect. Absent, older and invalid dates select the old
    /// one.
    static func isNew(_ request: Request) -> Bool {
        guard let text = request.headers[headerName], text.utf8.count == newest.utf8.count,
            (try? Date(text + "T00:00:00Z", strategy: .iso8601)) != nil
        else { return false }
        return text >= newest
    }
}

/// A request's JSON object, read field by field as the auth server does. Unknown members are
/// ignored, null counts as absent.
struct GoTrueBody: Sendable {
    private let json: JSON
    /// The type's name in the server's Go source, for its error messages.
    private let goTypeName: String

    /// Limited because values from the body are stored, and later read again, at a greater depth.
    static let maxDepth = 32

    /// Throws a 400 unless the body is a JSON object or null whose known members have the right
    /// types. The `Content-Type` is ignored.
    init(
        _ request: Request, as type: String, what: String = "Could not parse request body as JSON"
    ) throws(GoTrueFailure) {
        self.goTypeName = type
        do { json = try JSONReader.read(request.body, maxDepth: Self.maxDepth) } catch {
            throw .badJSON(
                request.body.isEmpty ? "unexpected end of JSON input" : error.detail, what: what)
        }
        switch json {
        case .object, .null: CheckTrace.record(.body, true, "JSON, \(request.body.count) B")
        default:
            throw .badJSON(
                "json: cannot unmarshal \(Self.jsonTypeName(json)) into Go value of type api.\(type)",
                what: what)
        }
        try checkTypes()
    }

    /// As the server, which decodes a body before it reads any value: of several members with
    /// wrong types the first is reported. Members without a row here are checked when they are
    /// read.
    private func checkTypes() throws(GoTrueFailure) {
        guard case .object(let members) = json, let known = Self.types[goTypeName] else { return }
        for name in members.map(\.name) where known.contains(name) {
            switch name {
            case "data", "app_metadata": _ = try object(name)
            case "create_user": _ = try bool(name)
            default: _ = try checkedText(name)
            }
        }
    }

    private static let types: [String: Set<String>] = {
        let flow = ["code_challenge", "code_challenge_method"]
        let person = ["email", "phone"]
        return [
            "SignupParams": Set(person + flow + ["password", "channel", "data"]),
            "PasswordGrantParams": Set(person + ["password"]),
            "RecoverParams": Set(flow + ["email"]),
            "ResendConfirmationParams": Set(person + flow + ["type"]),
            "OtpParams": Set(person + flow + ["channel", "data", "create_user"]),
            "MagicLinkParams": Set(flow + ["email", "data"]),
            "VerifyParams": Set(person + ["type", "token", "token_hash", "redirect_to"]),
            "UserUpdateParams": Set(
                person + flow + [
                    "password", "current_password", "nonce", "channel", "data", "app_metadata",
                ]),
        ]
    }()

    /// The text of `name`. Empty if it is absent. Throws a 400 if it is not a text.
    func text(_ name: String) throws(GoTrueFailure) -> String {
        let text = try checkedText(name)
        guard !text.utf8.contains(0) else {
            throw .invalid("\(name) must not hold a NUL character")
        }
        return text
    }

    private func checkedText(_ name: String) throws(GoTrueFailure) -> String {
        guard let value = json[name], value != .null else { return "" }
        guard let text = value.string else { throw typeMismatch(name, value, "string") }
        return text
    }

    /// The members of the object under `name`. Nil if it is absent.
    func object(_ name: String) throws(GoTrueFailure) -> [JSON.Member]? {
        guard let value = json[name], value != .null else { return nil }
        guard case .object(let members) = value else {
            throw typeMismatch(name, value, "map[string]interface {}")
        }
        return members
    }

    /// The value of the boolean `name`. Nil if it is absent.
    func bool(_ name: String) throws(GoTrueFailure) -> Bool? {
        guard let value = json[name], value != .null else { return nil }
        guard case .bool(let isTrue) = value else { throw typeMismatch(name, value, "bool") }
        return isTrue
    }

    func has(_ name: String) -> Bool { json[name] ?? .null != .null }

    /// Contains nothing of the value itself.
    private func typeMismatch(_ name: String, _ value: JSON, _ type: String) -> GoTrueFailure {
        .badJSON(
            "json: cannot unmarshal \(Self.jsonTypeName(value)) into Go struct field "
                + "\(goTypeName).\(name) of type \(type)")
    }

    private static func jsonTypeName(_ json: JSON) -> String {
        switch json {
        case .null: "null"
        case .bool: "bool"
        case .int, .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

/// Parses e-mail addresses as the auth server does, into lower case.
enum GoTrueEmailAddress {
    /// Throws the server's 400 if the address is invalid.
    static func parse(_ raw: String) throws(GoTrueFailure) -> String {
        guard !raw.isEmpty else { throw .invalid("An email address is required") }
        guard raw.utf8.count <= 255 else { throw .invalid("An email address is too long") }
        guard isValid(raw) else {
            throw .invalid("Unable to validate email address: invalid format")
        }
        return raw.lowercased()
    }

    static func isAccepted(_ raw: String) -> Bool {
        (try? parse(raw)) != nil
    }

    /// `atext` and dots, `@`, and domain labels: one is enough, each of 1 to 63 letters, digits and
    /// inner hyphens (HTML, 4.10.5.1.5).
    static func isValid(_ raw: String) -> Bool {
        let parts = raw.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty,
            parts[0].allSatisfy({ $0.isLetter || $0.isDigit || allowedSymbols.contains($0) })
        else { return false }
        let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            let hyphen = UInt8(ascii: "-")
            return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == hyphen }
        }
    }

    private static let allowedSymbols = Set(".!#$%&'*+/=?^_`{|}~-".utf8)
}
