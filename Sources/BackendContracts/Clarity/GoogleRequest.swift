import Backend
import Core
import Web

/// A request to one of Google's services: its message, its project and whether it is privileged.
struct GoogleRequest: Sendable {
    /// Whether it has an administrator's credential.
    let isPrivileged: Bool
    /// The project of its path or message, else that of the API key.
    let projectID: String
    let body: GoogleBody
}

extension ClarityContract {
    /// The credential, checked first, and the message.
    ///
    /// `project` is that of a path whose segment is not the project alone.
    func readRequest(_ context: RequestContext, project: String? = nil) throws -> GoogleRequest {
        let isPrivileged = try authorizeRequest(context)
        let body = try GoogleBody(context.request)
        let project =
            try project ?? context.parameters["project"] ?? body.text("targetProjectId")
        guard project == nil || isPrivileged else { throw GoogleFailure.projectNotPermitted }
        let tenant = try body.text("tenantId")
        guard tenant == nil else { throw GoogleFailure.tenantsUnsupported }
        return GoogleRequest(
            isPrivileged: isPrivileged, projectID: project ?? Self.projectID, body: body)
    }

    /// Checks the credential of a request to a Google method: the API key of a client, or the
    /// bearer token that admin SDKs send to an emulator or to Google. True for the latter.
    func authorizeRequest(_ context: RequestContext) throws -> Bool {
        switch Bearer(context.request) {
        case .token(let token):
            guard token.lowercased() == "owner" || token.hasPrefix("ya29.") else {
                throw GoogleFailure.unauthenticated
            }
            CheckTrace.record(.apiKey, true, "administrator")
            return true
        case .empty: throw GoogleFailure.unauthenticated
        case .missing:
            try checkAPIKey(context)
            return false
        }
    }

    /// Throws unless the request has an API key, in its query or in a header.
    func checkAPIKey(_ context: RequestContext) throws {
        let key =
            context.target.query.value(of: "key")
            ?? context.request.headers["x-goog-api-key"]
        guard let key, !key.isEmpty else {
            CheckTrace.record(.apiKey, false, "missing")
            throw GoogleFailure.missingAPIKey
        }
        CheckTrace.record(.apiKey)
        guard isOn(Self.requiresOwnAPIKey) else { return }
        guard ConstantTime.areEqual(key, apiKey) else { throw GoogleFailure.invalidAPIKey }
    }

    /// Throws if the address is invalid. Nil only if none was sent.
    func readEmailAddress(_ body: GoogleBody, _ name: String = "email") throws -> EmailAddress? {
        guard let text = try body.text(name) else { return nil }
        return try Self.emailAddress(text).orThrow(GoogleFailure.invalidEmail)
    }

    /// As Google's emulator, which SDKs test with names such as `ada@localhost`.
    static func emailAddress(_ text: String) -> EmailAddress? {
        EmailAddress(text, needsDot: false)
    }

    static let minPasswordLength = 6

    /// Throws if a new password is too short, or longer than can be hashed.
    static func check(newPassword password: String) throws {
        // UTF-16 code units, as clients count.
        guard password.utf16.count >= minPasswordLength else { throw GoogleFailure.weakPassword }
        guard password.utf8.count <= JSONBody.passwordLimit else {
            throw GoogleFailure.passwordTooLong
        }
    }

    /// A phone number in E.164 format, of one that may have spaces, dots, dashes and parentheses.
    static func phoneNumber(_ text: String) -> String? {
        let digits = text.filter { !" .-()".contains($0) }
        guard digits.first == "+", (5...16).contains(digits.utf8.count),
            digits.utf8.dropFirst().allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            })
        else { return nil }
        return digits
    }

    /// Throws if the number is invalid. Nil only if none was sent.
    func readPhoneNumber(_ body: GoogleBody) throws -> String? {
        guard let text = try body.text("phoneNumber") else { return nil }
        return try Self.phoneNumber(text).orThrow(GoogleFailure.invalidPhoneNumber)
    }
}
