import Backend
import Core
import Crypto
import SQLite
import Web

/// Requests for mails. The response is the same whether or not the address has an account.
extension SocotoContract {
    /// POST /recover.
    func recover(_ context: RequestContext) async throws -> Response {
        let body = try GoTrueBody(context.request, as: "RecoverParams")
        let (email, challenge) = try Self.readRecipient(
            body, missing: "Password recovery requires an email")
        let account = try await findAccount(email: email)
        return try await requestMail(
            .recovery, for: email, account, context, challenge,
            refusal: account == nil ? .unknown : nil)
    }

    /// POST /resend.
    func resend(_ context: RequestContext) async throws -> Response {
        let body = try GoTrueBody(context.request, as: "ResendConfirmationParams")
        let type = try body.text("type")
        let link: SocotoLink
        switch type {
        case "signup": link = .signup
        case "email_change": link = .emailChange
        case "sms", "phone_change":
            throw GoTrueFailure(
                400, "phone_provider_disabled", "Phone logins are disabled", [.featureEnabled])
        default:
            throw GoTrueFailure.invalid(
                "Missing one of these types: signup, email_change, sms, phone_change")
        }
        let (email, challenge) = try Self.readRecipient(
            body, missing: "Type provided requires an email address")
        let account = try await findAccount(email: email)
        var refusal: MailOutcome?
        var address = email
        if let account {
            let pending = SocotoUser(account).newEmail
            let isWaiting = link == .signup ? account.emailVerifiedAt == nil : pending != nil
            if !isWaiting { refusal = .alreadyVerified }
            if link == .emailChange, let pending { address = pending }
        } else {
            refusal = .unknown
        }
        return try await requestMail(
            link, for: address, account, context, challenge, refusal: refusal)
    }

    private static func readRecipient(_ body: GoTrueBody, missing: String) throws(GoTrueFailure)
        -> (email: String, challenge: PKCEChallenge?)
    {
        let raw = try body.text("email")
        guard !raw.isEmpty else { throw .invalid(missing) }
        let challenge = try PKCEChallenge(body)
        return (try GoTrueEmailAddress.parse(raw), challenge)
    }

    private static let emptyResponse = Response.plainJSON(.object([]))

    /// Known and unknown addresses take equally long: the mail is made and sealed, and one write is
    /// committed, in both cases.
    private func requestMail(
        _ link: SocotoLink, for address: String, _ account: Account?, _ context: RequestContext,
        _ challenge: PKCEChallenge?, refusal: MailOutcome?
    ) async throws -> Response {
        let now = now
        let recipient =
            account
            ?? Account(
                id: RandomTokens.uuid(services.world), realm: realm, email: address, createdAt: now)
        let mail = try makeMail(link, to: address, account: recipient, context, challenge)
        if let refusal {
            try await send(mail, limit: .unlimited, refusal: refusal)
            return Self.emptyResponse
        }
        _ = try await sendAndRecord(mail, to: recipient, challenge) { user in
            switch link {
            case .signup: user.confirmationSentAt = now
            case .recovery: user.recoverySentAt = now
            case .emailChange: user.emailChangeSentAt = now
            }
        }
        return Self.emptyResponse
    }

    var redirectPolicy: RedirectPolicy { RedirectPolicy(siteURL: baseURL + "/site") }

    /// A mail with a link and a code of the same challenge. The link's secret is derived from the
    /// code, so neither is stored.
    func makeMail(
        _ link: SocotoLink, to address: String, account: Account, _ context: RequestContext,
        _ challenge: PKCEChallenge?
    ) throws -> OutgoingMail {
        let id = services.world.makeID("mail")
        let code = accessTokens.keyring.makeCode()
        let secret = try linkSecret(of: id, to: address, code)
        let token = challenge == nil ? secret : Self.pkceTokenPrefix + secret
        let redirectURL = redirectPolicy.redirectURL(context)
        // As at the real server, the URL is escaped only if it would otherwise break the link.
        let escaped =
            redirectURL.contains { "&=#".contains($0) }
            ? PercentEncoding.encode(redirectURL) : redirectURL
        let href = "\(issuer)/verify?token=\(token)&type=\(link.rawValue)&redirect_to=\(escaped)"
        return try services.makeMail(
            link.makeMailTemplate(link: href, code: code), id: id, digest: Digest.sha256(secret),
            purpose: link.purpose, lifetime: SocotoLink.lifetime, to: address, account: account.id,
            in: realm)
    }

    /// The prefix of a link's token if its follower must also present a PKCE verifier.
    static let pkceTokenPrefix = "pkce_"

    /// The secret in a mail's link. It is as long as the real server's, and can only be derived
    /// with the key for codes.
    func linkSecret(of mail: String, to address: String, _ code: String) throws -> String {
        let text = "\(mail) \(address) \(code)"
        return String(try accessTokens.keyring.digest(text).prefix(56))
    }

    private var mailLimit: MailLimit {
        MailLimit(count: 1, window: .seconds(isOn(Self.limitsMailToOnePerMinute) ? 60 : 1))
    }

    /// Sends a mail inside a write. Nil if the limit holds it back.
    func sendMail(_ mail: OutgoingMail, _ challenge: PKCEChallenge?, on connection: Connection)
        throws -> Int64?
    {
        let sequence = try connection.sendLink(mail, limit: mailLimit)
        if sequence != nil, let challenge, let account = mail.challenge.accountID {
            try connection.addPKCEFlow(
                link: mail.challenge.digest, account: account, codeChallenge: challenge.value,
                method: challenge.method.rawValue)
        }
        return sequence
    }

    /// Whether the limit lets the mail be sent now. Called inside a write.
    func isWithinMailLimit(_ mail: OutgoingMail, on connection: Connection) throws -> Bool {
        let sentAt = mail.challenge.createdAt
        let nextAllowedAt = try connection.mailLimitEnd(
            for: mail.challenge, mailLimit, at: sentAt)
        return nextAllowedAt.map { $0 <= sentAt } ?? true
    }

    /// Publishes a mail that was sent. If the limit held it back, throws how long the client must
    /// wait.
    func announce(_ mail: OutgoingMail, at sequence: Int64?) async throws {
        guard sequence == nil else { return services.mailbox.publishSent(mail, at: sequence) }
        let now = now
        let nextAllowedAt = try await database.read { connection in
            try connection.mailLimitEnd(for: mail.challenge, mailLimit, at: now)
        }
        let remaining = (nextAllowedAt ?? mail.challenge.createdAt).milliseconds - now.milliseconds
        throw GoTrueFailure.mailRateLimited(seconds: max(1, (remaining + 999) / 1_000))
    }

    /// Sends a mail and stores what `update` changes in the user.
    func sendAndRecord(
        _ mail: OutgoingMail, to account: Account, _ challenge: PKCEChallenge?,
        update: @escaping @Sendable (inout SocotoUser) -> Void
    ) async throws -> SocotoUser {
        let (user, sequence) = try await database.write { connection -> (SocotoUser, Int64?) in
            // The account may have changed since it was read.
            let current = try connection.account(account.id, in: realm)
            var user = SocotoUser(current ?? account)
            let sequence = try sendMail(mail, challenge, on: connection)
            if sequence != nil {
                update(&user)
                try connection.save(user, of: account)
            }
            return (user, sequence)
        }
        try await announce(mail, at: sequence)
        return user
    }
}

/// Where a link may redirect to: this machine, an app's own scheme, or the contract's own page,
/// never another host.
struct RedirectPolicy: Sendable {
    /// The default target of links.
    let siteURL: String

    /// The URL that a request names in its query or header, or else its referrer, if a link may
    /// redirect there. Otherwise the site.
    func redirectURL(_ context: RequestContext) -> String {
        let headers = context.request.headers
        let candidates = [
            context.target.queryValue("redirect_to"), headers["redirect_to"], headers["Referer"],
        ]
        return candidates.compactMap { $0 }.first(where: allows) ?? siteURL
    }

    func allows(_ url: String) -> Bool {
        if url == siteURL { return true }
        // URLs that browsers might parse differently are refused.
        guard url.utf8.count <= 2_048, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !url.contains("\\")
        else { return false }
        let parts = URLParts(url)
        switch parts.scheme {
        case nil: return false
        case "http", "https": return parts.userInfo == nil && parts.isLoopback && parts.port != nil
        case let scheme?: return !Self.blockedSchemes.contains(scheme)
        }
    }

    /// `url` with `items` added to its query.
    static func urlWithQuery(_ url: String, _ items: [(String, String)]) -> String {
        let base = url.prefix { $0 != "#" }
        return base + (base.contains("?") ? "&" : "?") + Self.encode(items)
    }

    /// `url` with `items` as its fragment, which servers never receive.
    static func urlWithFragment(_ url: String, _ items: [(String, String)]) -> String {
        url.prefix { $0 != "#" } + "#" + encode(items)
    }

    /// As the real server encodes them: sorted, with `+` for a space.
    private static func encode(_ items: [(String, String)]) -> String {
        items.sorted { $0.0 < $1.0 }.map { name, value in
            name + "=" + PercentEncoding.encode(value, spaceAsPlus: true)
        }.joined(separator: "&")
    }

    /// Schemes that make a browser run or read something.
    private static let blockedSchemes: Set<String> = [
        "javascript", "vbscript", "data", "file", "blob", "about", "filesystem", "view-source",
        "ws", "wss", "ftp",
    ]
}
