import Apps
import Backend
import FoundationEssentials
import Simulator
import Web

/// Everything the three views of a session are drawn from.
struct SessionSources: Sendable {
    let session: Session
    let app: App?
    /// What the device keeps, captured values by name, and when.
    var storedValues: [String: JSON] = [:]
    var hasAccessToken = false
    var hasRefreshToken = false
    var verdict: SignatureVerification?
    /// The refresh tokens by name, in the order in which `truth` was asked.
    var generations: TokenGenerations
    /// What the embedded backend says; nil where another answers.
    var serverState: ServerSessionState?
    /// What the backend last answered to a call with the token.
    var lastResponse: SessionObservation?
    let now: Date

    init(session: Session, app: App?, now: Date) {
        self.session = session
        self.app = app
        self.now = now
        generations = TokenGenerations(session)
    }

    /// The generations, with what the server says of each.
    var lineage: Lineage { Lineage(generations, sessionState: serverState) }

    var isLive: Bool { session.endedAt == nil }
    /// Whether it ended on its device, or as far as the server tells there.
    var hasEnded: Bool {
        guard isLive, let sessionState = serverState else { return !isLive }
        guard let known = sessionState.session else { return true }
        return known.revokedAt != nil || sessionState.account?.disabledAt != nil
    }
    /// Whether its server goes on with it no more, though the device holds it;
    /// nil where nobody can tell.
    var isRevoked: Bool? {
        guard isLive, hasAccessToken else { return nil }
        if let sessionState = serverState {
            if let known = sessionState.session { return known.revokedAt != nil }
            return sessionState.isAccessTokenRecognized ? true : nil
        }
        guard let isTaken = currentTokenResponse?.isAccepted else { return nil }
        // That a token which is over is refused says nothing of the session.
        let isDead = session.accessToken?.expiresAt.map { $0 <= now } ?? false
        return !isTaken && isDead ? nil : !isTaken
    }
    /// The last answer, if it was to the token that is held now.
    var currentTokenResponse: SessionObservation? {
        lastResponse.flatMap { $0.maskedToken == session.accessToken?.maskedValue ? $0 : nil }
    }
    var claims: JSON? { session.accessToken?.claims }

    /// The first of these names that something told has, objects opened.
    static func firstValue(_ names: [String], in facts: [String: JSON]) -> JSON? {
        for name in names {
            if let value = facts[name], value.scalarText != nil || value.bool != nil {
                return value
            }
        }
        for (_, value) in facts.sorted(by: { $0.key < $1.key }) {
            guard case .object(let members) = value else { continue }
            for name in names {
                if let found = members.first(where: { $0.name == name })?.value, found != .null {
                    return found
                }
            }
        }
        return nil
    }

    func deviceValue(_ names: [String]) -> JSON? { Self.firstValue(names, in: storedValues) }

    func tokenValue(_ names: [String]) -> JSON? {
        guard case .object(let members)? = claims else { return nil }
        return Self.firstValue(
            names,
            in: Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { a, _ in a }))
    }

    func lastResponse(_ names: [String]) -> JSON? {
        lastResponse.flatMap { Self.firstValue(names, in: $0.capturedValues) }
    }
}

/// The names under which apps, tokens and servers speak of the same thing.
enum ClaimAliases {
    static let user = ["userID", "user_id", "id", "uid", "localId", "sub"]
    static let claimedUser = ["sub", "user_id", "uid"]
    static let email = ["email", "userEmail"]
    static let verified = [
        "emailVerified", "email_verified", "isEmailVerified", "is_email_verified", "verified",
    ]
    static let session = ["session_id", "sid"]
}
