import Backend
import Web

/// The project's settings.
extension SocotoContract {
    static let switches =
        [
            totpFactors, phoneFactors,
            confirmEmail, signups, anonymousUsers, emailSignIns, sixCharacterPasswords,
            phoneSignIns, confirmsPhonesAtOnce,
            confirmsChangesTwice, reauthenticatesForPassword, requiresCurrentPassword,
            limitsSessionsToOneDay, endsInactiveSessions, allowsOneSession,
            limitsMailToOnePerMinute,
            limitsRequests, showsProfilesToAll,
        ] + providerSwitches

    static let confirmEmail = FeatureSwitch(
        name: "confirmEmail", text: "New accounts must confirm their email before they can sign in",
        isOnByDefault: true)
    static let signups = FeatureSwitch(
        name: "signups", text: "Sign-ups are enabled", isOnByDefault: true)
    static let anonymousUsers = FeatureSwitch(
        name: "anonymousUsers", text: "Sign-in without an email or a phone number is enabled",
        isOnByDefault: true)
    static let emailSignIns = FeatureSwitch(
        name: "emailProvider", text: "Sign-in with an email is enabled", isOnByDefault: true)
    static let sixCharacterPasswords = FeatureSwitch(
        name: "sixCharacterPasswords",
        text: "Passwords need six characters, the server's own default, instead of eight",
        isOnByDefault: false)
    static let phoneSignIns = FeatureSwitch(
        name: "phoneProvider", text: "Sign-in with a phone number is enabled", isOnByDefault: true)
    static let confirmsPhonesAtOnce = FeatureSwitch(
        name: "phoneAutoconfirm", text: "Phone numbers are confirmed without a text message",
        isOnByDefault: false)
    static let confirmsChangesTwice = FeatureSwitch(
        name: "doubleConfirmChanges",
        text: "A change of email must be confirmed from both addresses", isOnByDefault: false)
    static let reauthenticatesForPassword = FeatureSwitch(
        name: "securePasswordChange",
        text: "A new password requires a mailed code if the session is older than a day",
        isOnByDefault: false)
    static let requiresCurrentPassword = FeatureSwitch(
        name: "requireCurrentPassword", text: "A new password requires the current one",
        isOnByDefault: false)
    static let limitsSessionsToOneDay = FeatureSwitch(
        name: "sessionTimebox", text: "Sessions end a day after sign-in", isOnByDefault: false)
    static let endsInactiveSessions = FeatureSwitch(
        name: "sessionInactivity", text: "Sessions end an hour after their last refresh",
        isOnByDefault: false)
    static let allowsOneSession = FeatureSwitch(
        name: "singleSession", text: "Only the newest session of a user can be refreshed",
        isOnByDefault: false)
    static let limitsMailToOnePerMinute = FeatureSwitch(
        name: "mailEveryMinute",
        text: "One mail per address per minute, as in hosted "
            + "projects, instead of one per second", isOnByDefault: false)
    static let limitsRequests = FeatureSwitch(
        name: "requestLimits",
        text: "Requests per client address and messages per hour are limited, as in hosted "
            + "projects", isOnByDefault: false)
    static let showsProfilesToAll = FeatureSwitch(
        name: "publicProfiles",
        text: "Everyone can read all profiles, as in Supabase's quickstart", isOnByDefault: false)
}

/// Rate limits.
extension SocotoContract {
    // Guesses at one user, which are always limited.

    static let passwordLimit = RateLimit(name: "passwords", count: 150, window: .seconds(300))
    static let guessLimit = RateLimit(name: "guesses", count: 30, window: .seconds(300))

    // Requests of one client address, with the switch `requestLimits`; the real server counts them
    // only if it is told which header has the address.

    static let tokenRequestLimit = requestLimit("token", 150)
    static let verifyRequestLimit = requestLimit("verify", 30)
    static let signUpLimit = requestLimit("sign-ups", 30)
    static let anonymousLimit = requestLimit(
        "anonymous sign-ins", 30, in: .seconds(3_600))
    static let otpLimit = requestLimit("codes", 30)
    static let magicLinkLimit = requestLimit("magic links", 30)
    static let recoverLimit = requestLimit("recoveries", 30)
    static let resendLimit = requestLimit("resends", 30)
    static let userLimit = requestLimit("user updates", 30)
    private static let mailLimit = RateLimit(name: "mails", count: 30, window: .seconds(3_600))
    private static let textMessageLimit = RateLimit(
        name: "text messages", count: 30, window: .seconds(3_600))

    private static func requestLimit(
        _ name: String, _ count: Int, in window: Duration = .seconds(300)
    ) -> RateLimit {
        RateLimit(name: name, count: count, window: window, burst: 30)
    }

    /// Counts a request, if the project has these limits. Called before anything asynchronous, so
    /// that concurrent requests cannot pass the limit while a hash is computed.
    func checkRequestLimit(_ context: RequestContext, _ limit: RateLimit) throws {
        guard isOn(Self.limitsRequests) else { return }
        try count(limit, of: context.request.peer, failure: GoTrueFailure.tooManyRequests)
    }

    /// Counts a guess at a user's password or code, before anything asynchronous.
    func checkGuessLimit(_ recipient: Recipient, _ limit: RateLimit) throws {
        try count(limit, of: recipient.text, failure: GoTrueFailure.tooManyRequests)
    }

    /// Counts a message of the whole project, if it has these limits.
    func checkMessageLimit(isTextMessage: Bool) throws {
        guard isOn(Self.limitsRequests) else { return }
        try count(
            isTextMessage ? Self.textMessageLimit : Self.mailLimit, of: "",
            failure: isTextMessage
                ? GoTrueFailure.textMessageLimitReached : GoTrueFailure.mailLimitReached)
    }

    /// The audience that a request names, or else the default one.
    func audience(_ context: RequestContext) -> String {
        let header = context.request.headers["X-JWT-AUD"] ?? ""
        return header.isEmpty ? SocotoUser.Details.defaultAudience : header
    }
}
