import Apps
import Backend
import FoundationEssentials
import Simulator
import Web

extension SessionsModel.Row {
    /// `device` is its label; `app` is nil where its manifest cannot be read.
    init(
        _ session: Session, app: App?, device: String?, verdict: Verdict?, drift: Int = 0, now: Date
    ) {
        let ended = session.state == .signedOut
        let access = session.accessToken
        let end = ended ? nil : access?.expiresAt
        let life = access.flatMap { held in
            held.expiresAt?.timeIntervalSince(held.issuedAt ?? held.receivedAt)
        }
        let left = end?.timeIntervalSince(now)
        let signature = Self.signature(ended ? nil : verdict)
        self.init(
            id: session.id, href: Links.session(session.id), ended: ended, tone: session.tone,
            stateName: session.state.words, user: session.who,
            glyph: app.map(GlyphModel.init) ?? .unknown(session.app),
            appName: app?.name ?? session.app, device: device ?? Words.short(session.device),
            backend: app?.backends.first { $0.id == session.backend }?.label ?? session.backend,
            signature: signature.word, signatureTone: signature.tone, signatureIcon: signature.icon,
            expires: left.map(Self.remaining) ?? "–",
            soon: left.map { $0 <= 0.2 * (life ?? 0) } ?? false, expiresAt: end?.iso8601,
            life: String(Int(clamping: max(0, life ?? 0))),
            generation: session.refreshToken == nil ? "–" : String(session.generation),
            disagrees: drift > 0, beganAt: session.createdAt.iso8601,
            began: Words.age(session.createdAt, now), refreshedAt: session.refreshedAt?.iso8601,
            refreshed: session.refreshedAt.map { Words.age($0, now) } ?? "–")
    }

    /// `4:23`, `6 d`; of what is over long ago only minutes count: `−12 min`.
    private static func remaining(_ seconds: Double) -> String {
        seconds <= -60 ? "−" + Words.span(-seconds) : Words.countdown(seconds)
    }

    private static func signature(_ verdict: Verdict?) -> (
        word: String, tone: String, icon: String?
    ) {
        switch verdict?.word {
        case nil: ("–", "", nil)
        case .verified: ("verified", "ok", "shield")
        case .unverified: ("not verified", "", "info")
        case .invalid: ("wrong", "bad", "cross")
        case .unsigned: ("unsigned", "warn", "warn")
        case .opaque: ("opaque", "", nil)
        }
    }
}
