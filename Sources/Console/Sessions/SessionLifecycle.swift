import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Web

/// A session's whole life as its page tells it: history, family, and what
/// of it still lives.
struct SessionLifecycle {
    let family: FamilyModel
    let history: [SessionModel.HistoryEntry]
    let unexpiredTokens: UnexpiredTokensModel
    /// POST; nil where the app has no call that would tell.
    let probeAction: String?
    let compareURL: String?

    init(services: Services, session: Session, sources: SessionSources) async throws {
        let simulator = services.simulator
        let app = sources.app
        let now = sources.now
        let moments = try await simulator.history(ofSession: session.id, in: session.workspace)
        let kept = try await simulator.archivedTokens(ofSession: session.id, in: session.workspace)
        let sessionState = sources.serverState
        let generations = sources.generations
        family = FamilyModel(
            Family(session, history: moments, generations: generations, sessionState: sessionState),
            of: session,
            id: sessionState?.session?.id, generations: generations,
            canRefresh: sources.hasRefreshToken,
            hasRefreshCall: app?.session.refreshCall.map {
                !(app?.isCallMissing($0, backend: session.backend) ?? true)
            } ?? false)
        probeAction = app?.probeCall(for: session.backend).map { _ in
            Links.session(session.id, "probe")
        }
        let isOver = sources.hasEnded
        let living = UnexpiredToken.all(
            session, kept: kept, generations: generations, hasEnded: isOver,
            hasAccessToken: sources.hasAccessToken, now: now)
        var probes: [String: SessionObservation] = [:]
        for token in living {
            probes[token.token.maskedValue] = simulator.lastProbe(
                ofSession: session.id, token: token.token.maskedValue)
            // Of the stored one any call of the app's tells as well.
            if token.number == nil, let heard = sources.currentTokenResponse {
                probes[token.token.maskedValue] = heard
            }
        }
        unexpiredTokens = UnexpiredTokensModel(
            living, hasEnded: isOver, probeAction: probeAction, probes: probes, now: now,
            systemNow: services.world.now())
        history = Self.history(moments, sessionState)
        let olds = kept.filter { $0.kind == .access && $0.origin == .device }
        compareURL =
            olds.last.map { last in
                sources.hasAccessToken
                    ? Links.tokenComparison(session.id, from: last.number, to: nil)
                    : olds.count > 1
                        ? Links.tokenComparison(
                            session.id, from: olds[olds.count - 2].number, to: last.number) : nil
            } ?? nil
    }

    /// What the device did, and what the server did without it.
    private static func history(
        _ moments: [SessionHistoryEntry], _ sessionState: ServerSessionState?
    ) -> [SessionModel
        .HistoryEntry]
    {
        var lines: [(at: Date, text: String, tone: String, url: String?)] = moments.map { moment in
            (moment.at, moment.title, tone(moment.kind), moment.exchange.map { Links.exchange($0) })
        }
        if let known = sessionState?.session, let at = known.revokedAt {
            let reason = known.revocationReason.map { ": \($0)" } ?? ""
            lines.append((at, "Ended by the server\(reason)", "bad", nil))
        }
        if let at = sessionState?.account?.emailVerifiedAt, let first = moments.first?.at,
            at >= first
        {
            lines.append((at, "E-mail verified at the server", "", nil))
        }
        if let at = sessionState?.account?.disabledAt {
            lines.append((at, "Account disabled at the server", "bad", nil))
        }
        return lines.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .reversed().map { index, line in
                SessionModel.HistoryEntry(
                    id: "h\(index)", at: line.at.iso8601, time: Format.timeOfDay(line.at),
                    text: line.text, tone: line.tone, exchangeURL: line.url)
            }
    }

    private static func tone(_ kind: String) -> String {
        if kind.hasSuffix(".refused") { return "bad" }
        switch kind {
        case "revoked": return "bad"
        case "expiredByHand", "edited": return "warn"
        default: return ""
        }
    }
}
