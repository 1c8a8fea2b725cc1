import Apps
import Backend
import FoundationEssentials
import Simulator
import Web

/// One session in the list (`sessions/rows`).
struct SessionRow: Encodable, Sendable {
    var id: String
    var href: String
    /// Signed out: the row is dimmed.
    var ended: Bool
    /// `ok` active, `warn` expired, `bad` revoked, `none` signed out.
    var tone: String
    /// `Active`, `Expired`, `Revoked`, `Signed out`.
    var stateName: String
    /// The email address, or `Device 8c1e…40f2`.
    var user: String
    var glyph: GlyphModel
    var appName: String
    var device: String
    var backend: String
    /// `Valid`, `Not verified`, `Invalid`, `Unsigned`, `Opaque`, `–`.
    var signature: String
    /// `ok`, `bad`, `warn` or empty.
    var signatureTone: String
    /// `shield`, `info`, `cross`, `warn`; nil for opaque and none.
    var signatureIcon: String?
    /// `4:23`, `6 d`, `Expired 12 min ago`, `–`.
    var expiresIn: String
    /// In the last fifth of the lifetime, or expired.
    var isExpiringSoon: Bool
    /// ISO 8601; nil if the expiry is unknown or the session is signed out.
    var expiresAt: String?
    /// The access token's lifetime in seconds; `0` if unknown.
    var lifetime: String
    /// Number of refreshes; `–` without a refresh token.
    var refreshCount: String
    /// Whether device, token and server differ.
    var isOutOfSync: Bool
    /// ISO 8601; `createdAge` is its display text, `16 s`.
    var createdAt: String
    var createdAge: String
    /// ISO 8601; nil before the first refresh.
    var refreshedAt: String?
    var refreshedAge: String
}

extension SessionRow {
    /// `device` is its label; `app` is nil if its manifest cannot be read.
    init(
        _ session: Session, app: App?, device: String?, verdict: SignatureVerification?,
        now: Date
    ) {
        let ended = session.state == .signedOut
        let access = session.accessToken
        let expiry = ended ? nil : access?.expiresAt
        let lifetime = access.flatMap { summary in
            summary.expiresAt?.timeIntervalSince(summary.issuedAt ?? summary.receivedAt)
        }
        let secondsLeft = expiry?.timeIntervalSince(now)
        let signature: (word: String, tone: String, icon: String?) =
            switch ended ? nil : verdict?.status {
            case nil: ("–", "", nil)
            case .verified: ("Valid", "ok", "shield")
            case .unverified: ("Not verified", "", "info")
            case .invalid: ("Invalid", "bad", "cross")
            case .unsigned: ("Unsigned", "warn", "warn")
            case .opaque: ("Opaque", "", nil)
            }
        self.init(
            id: session.id, href: Links.session(session.id), ended: ended,
            tone: session.state.tone.dot, stateName: session.state.label, user: session.userLabel,
            glyph: GlyphModel(app, id: session.app), appName: app?.name ?? session.app,
            device: device ?? Format.shortID(session.device),
            backend: app?.backends.first { $0.id == session.backend }?.label ?? session.backend,
            signature: signature.word, signatureTone: signature.tone, signatureIcon: signature.icon,
            expiresIn: secondsLeft.map(Self.remaining) ?? "–",
            isExpiringSoon: secondsLeft.map { $0 <= 0.2 * (lifetime ?? 0) } ?? false,
            expiresAt: expiry?.iso8601, lifetime: String(Int(clamping: max(0, lifetime ?? 0))),
            refreshCount: session.refreshToken == nil ? "–" : String(session.refreshCount),
            isOutOfSync: session.discrepancyCount > 0, createdAt: session.createdAt.iso8601,
            createdAge: Format.age(session.createdAt, now),
            refreshedAt: session.refreshedAt?.iso8601,
            refreshedAge: session.refreshedAt.map { Format.age($0, now) } ?? "–")
    }

    /// `4:23`, `6 d`; after the expiry `Expired 12 s ago`.
    private static func remaining(_ seconds: Double) -> String {
        seconds < 0 ? "Expired \(Format.duration(-seconds)) ago" : Format.countdown(seconds)
    }
}
