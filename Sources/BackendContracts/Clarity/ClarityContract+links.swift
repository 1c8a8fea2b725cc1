import Backend
import Crypto
import SQLite
import Web

/// The pages behind the mailed links.
extension ClarityContract {
    /// GET /emulator/action?mode=…&oobCode=…
    ///
    /// A HEAD request, which link scanners send, shows nothing and does not use the link up.
    func showEmailAction(_ context: RequestContext) async throws -> Response {
        let query = Dictionary(context.target.query.map { ($0.name, $0.value) }) { first, _ in first
        }
        let code = query["oobCode"] ?? ""
        switch ClarityLink(rawValue: query["mode"] ?? "") {
        case .verify:
            let (_, state, _) = try await followVerificationLink(
                code, isPreview: context.request.method == .head)
            let continueURL = Self.allowedContinueURL(query["continueUrl"])
            if state == .completed, let continueURL {
                return Response(
                    status: 303,
                    headers: ["Location": continueURL, "Referrer-Policy": "no-referrer"])
            }
            return Self.page(.verify, state, continueURL: continueURL)
        case .reset:
            let (link, state, _) = try await findActionCode(code)
            guard link == .reset, state == .valid else {
                return Self.page(.reset, link == .reset ? state : .unknown)
            }
            return Self.newPasswordForm(
                code: code, continueURL: Self.allowedContinueURL(query["continueUrl"]))
        case nil: return Self.page(.verify, .unknown)
        }
    }

    /// POST /emulator/action: submits the form for a new password.
    func submitEmailAction(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let code = form["oobCode"] ?? ""
        let password = form["newPassword"] ?? ""
        let continueURL = Self.allowedContinueURL(form["continueUrl"])
        let (link, state, account) = try await findActionCode(code)
        guard link == .reset, state == .valid, account?.disabledAt == nil else {
            return Self.page(.reset, link == .reset && state != .valid ? state : .unknown)
        }
        if let error = Self.passwordError(for: password) {
            return Self.newPasswordForm(code: code, continueURL: continueURL, error: error)
        }
        let finalState = try await applyPasswordReset(by: code, to: password)
        return Self.page(.reset, finalState, continueURL: continueURL)
    }

    /// The URL the page may continue to. It is checked again, because the link may have been
    /// altered.
    private static func allowedContinueURL(_ url: String?) -> String? {
        url.flatMap { ClarityLink.canContinue(to: $0) ? $0 : nil }
    }

    private static let pages = LinkPages(
        appName: "CLARITY Pulse",
        resetRetryText: "For a new one, ask the app to reset your password again.",
        passwordRule:
            "At least 8 characters, with an uppercase letter, a lowercase letter and a number.",
        verifiedText: "Thank you. Go back to the app and tap I've Verified My Email.",
        alreadyVerifiedText: "This link was used before: your email is verified.",
        verificationRetryText: "For a new one, open the app and choose Resend Email.")

    private static func page(_ link: ClarityLink, _ state: LinkState, continueURL: String? = nil)
        -> Response
    {
        var page = link == .verify ? pages.verification(state) : pages.passwordReset(state)
        if state == .completed || state == .alreadyVerified { page.continueURL = continueURL }
        return page.response
    }

    /// The form for a new password, with the `code` of the link.
    private static func newPasswordForm(code: String, continueURL: String?, error: String? = nil)
        -> Response
    {
        var hiddenFields = [(name: "oobCode", value: code)]
        if let url = continueURL { hiddenFields.append(("continueUrl", url)) }
        return pages.newPasswordForm(
            action: "action", hiddenFields: hiddenFields, field: "newPassword", error: error
        ).response
    }

    /// Why a new password is invalid, or nil. The rules are those of the app's own forms, which
    /// this page replaces.
    private static func passwordError(for password: String) -> String? {
        if password.utf16.count < 8 { return "Password must be at least 8 characters long." }
        for (characters, name) in [
            (UInt8(ascii: "A")...UInt8(ascii: "Z"), "uppercase letter"),
            (UInt8(ascii: "a")...UInt8(ascii: "z"), "lowercase letter"),
            (UInt8(ascii: "0")...UInt8(ascii: "9"), "number"),
        ] where !password.utf8.contains(where: characters.contains) {
            return "Password must contain at least one \(name)"
        }
        if password.utf8.count > JSONBody.passwordLimit {
            return "Password may contain at most \(JSONBody.passwordLimit) bytes"
        }
        return nil
    }

    // MARK: Action codes from mails, redeemed by an app or by the page behind the link

    /// `accounts:resetPassword`: reports what a code is for, or sets the new password with it.
    func resetPassword(_ context: RequestContext) async throws -> Response {
        try authorizeRequest(context)
        let body = try GoogleBody(context.request)
        guard let code = try body.text("oobCode") else { throw GoogleFailure.missingCode }
        let (link, state, account) = try await findActionCode(code)
        try Self.requireValid(state)
        if let password = try body.password("newPassword") {
            guard link == .reset else { throw GoogleFailure.invalidCode }
            guard account?.disabledAt == nil else { throw GoogleFailure.userDisabled }
            try Self.check(newPassword: password)
            try Self.requireValid(try await applyPasswordReset(by: code, to: password))
        }
        return .json([
            "kind": "identitytoolkit#ResetPasswordResponse", "email": JSON(account?.email),
            "requestType": .string(link.requestType),
        ])
    }

    /// Redeems a code that verifies an address.
    func applyVerificationCode(_ code: String) async throws -> Account {
        let (state, _, account) = try await followVerificationLink(code)
        try Self.requireValid(state)
        guard let account else { throw GoogleFailure.invalidCode }
        return account
    }

    /// Follows a verification link. A preview does not use it up.
    ///
    /// An app gets `state`, the state of the link itself, which is used up even if the address is
    /// already verified. The page shows `shown`, which reports an already verified address.
    func followVerificationLink(_ code: String, isPreview: Bool = false) async throws -> (
        state: LinkState, shown: LinkState, account: Account?
    ) {
        let link = try await followLink(
            code, for: .verify, isPreview: isPreview,
            // A link mailed to a former address was replaced.
            state: { $1.email == $0.email ? $0.state(at: $2) : .replaced }
        ) { account, connection, now in try connection.verifyEmail(of: account.id, at: now) }
        guard var account = link.target?.account, account.email == link.target?.challenge.email
        else { return (link.state, link.state, nil) }
        let shown = account.emailVerifiedAt == nil ? link.state : .alreadyVerified
        if link.state == .completed { account.emailVerifiedAt = account.emailVerifiedAt ?? now }
        return (link.state, shown, account)
    }

    /// Sets the password of the account that `code` was mailed to, and ends all its sessions.
    ///
    /// `password` is already checked. The code and its account are checked inside the write,
    /// because hashing takes time.
    func applyPasswordReset(by code: String, to password: String) async throws -> LinkState {
        let hash = try await services.hasher.hash(password)
        let link = try await followLink(
            code, for: .reset,
            state: { challenge, account, now in
                account.email == challenge.email && account.disabledAt == nil
                    ? challenge.state(at: now) : .unknown
            }
        ) { account, connection, now in
            try connection.applyPasswordReset(hash, of: account, at: now)
        }
        if link.state == .completed, let email = link.target?.challenge.email {
            services.rateLimits.clear(Self.failedSignInLimit, of: email, in: realm)
        }
        return link.state
    }

    /// The purpose of `code`, its state and its account.
    func findActionCode(_ code: String) async throws -> (ClarityLink, LinkState, Account?) {
        let digest = Digest.sha256(code)
        return try await read { connection, now in
            for link in ClarityLink.allCases {
                guard
                    let (challenge, account) = try connection.linkedAccount(
                        digest, for: link.purpose, in: realm), account.email == challenge.email
                else { continue }
                return (link, challenge.state(at: now), account)
            }
            return (.verify, .unknown, nil)
        }
    }

    private static func requireValid(_ state: LinkState) throws {
        switch state {
        case .valid, .completed: return
        case .expired: throw GoogleFailure.expiredCode
        case .used, .alreadyVerified, .replaced, .unknown: throw GoogleFailure.invalidCode
        }
    }
}

extension Connection {
    /// Sets a password with a mailed code. Verifies the address, ends all sessions and invalidates
    /// every other reset link and code.
    func applyPasswordReset(_ hash: String, of account: Account, at now: Timestamp) throws {
        var profile = ClarityProfile(account)
        profile.recordPasswordChange(at: now)
        try setPassword(of: account.id, hash: hash)
        try verifyEmail(of: account.id, at: now)
        // A reset by mail also lifts the lock.
        try setLock(account: account.id, until: nil)
        try setProfile(of: account.id, to: profile.jsonText)
        for purpose in [Challenge.Purpose.reset, .resetCode] {
            try invalidateChallenges(of: account.id, for: purpose, at: now)
        }
        try revokeSessions(of: account.id, reason: .passwordChanged, at: now)
    }
}

/// The purpose of a link mailed by Firebase.
enum ClarityLink: String, Sendable, CaseIterable {
    /// The raw value is the link's `mode`.
    case verify = "verifyEmail"
    case reset = "resetPassword"

    var purpose: Challenge.Purpose {
        switch self {
        case .verify: .verify
        case .reset: .reset
        }
    }

    /// Identity Toolkit's name of the purpose.
    var requestType: String {
        switch self {
        case .verify: "VERIFY_EMAIL"
        case .reset: "PASSWORD_RESET"
        }
    }

    /// By name, or by its number in Google's enumeration. Nil for types that are not enabled.
    init?(requestType: String) {
        switch requestType {
        case "PASSWORD_RESET", "1": self = .reset
        case "VERIFY_EMAIL", "4": self = .verify
        default: return nil
        }
    }

    /// The URL to be mailed. SDKs read `apiKey`, `oobCode` and `mode`.
    func url(root: String, code: String, apiKey: String, continueURL: String?) -> String {
        var query = [("mode", rawValue), ("lang", "en"), ("oobCode", code), ("apiKey", apiKey)]
        if let continueURL { query.append(("continueUrl", continueURL)) }
        return "\(root)/emulator/action?\(Form.encode(query))"
    }

    /// Whether a page may continue to `text`, which must be an absolute HTTP URL.
    static func canContinue(to text: String) -> Bool {
        let address = URLParts(text)
        // The text becomes a header field.
        return address.isHTTPURL && address.port != nil
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
