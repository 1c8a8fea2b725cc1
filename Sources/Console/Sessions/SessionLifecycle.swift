import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Web

/// Builds the history, the refresh family and the unexpired tokens of a session's page.
struct SessionLifecycle {
    let family: FamilyModel
    let history: [SessionModel.HistoryEntry]
    let unexpiredTokens: UnexpiredTokensModel
    /// POST; nil if the app has no call that checks the token.
    let probeAction: String?
    let compareURL: String?

    init(services: Services, session: Session, sources: SessionSources) async throws {
        let simulator = services.simulator
        let app = sources.app
        let now = sources.now
        let entries = try await simulator.history(ofSession: session.id, in: session.workspace)
        let archivedTokens = try await simulator.archivedTokens(
            ofSession: session.id, in: session.workspace)
        let sessionState = sources.serverState
        let generations = sources.generations
        family = FamilyModel(
            Family(session, history: entries, generations: generations, sessionState: sessionState),
            of: session, id: sessionState?.session?.id, generations: generations,
            canRefresh: sources.hasRefreshToken,
            hasRefreshCall: app?.session.refreshCall.map {
                !(app?.isCallMissing($0, backend: session.backend) ?? true)
            } ?? false)
        probeAction = app?.probeCall(for: session.backend).map { _ in Links.probeSession(session.id)
        }
        let hasEnded = sources.hasEnded
        let unexpired = UnexpiredToken.all(
            session, kept: archivedTokens, generations: generations, hasEnded: hasEnded,
            hasAccessToken: sources.hasAccessToken, now: now)
        var probes: [String: SessionObservation] = [:]
        for token in unexpired {
            probes[token.token.maskedValue] = simulator.lastProbe(
                ofSession: session.id, token: token.token.maskedValue)
            // Any call of the app also checks the stored token.
            if token.number == nil, let observation = sources.currentTokenResponse {
                probes[token.token.maskedValue] = observation
            }
        }
        unexpiredTokens = UnexpiredTokensModel(
            unexpired, hasEnded: hasEnded, probeAction: probeAction, probes: probes, now: now,
            systemNow: services.world.now())
        history = Self.history(entries, sessionState)
        let accessTokens = archivedTokens.filter { $0.kind == .access && $0.origin == .device }
        compareURL =
            accessTokens.last.map { last in
                sources.hasAccessToken
                    ? Links.tokenComparison(session.id, from: last.number, to: nil)
                    : accessTokens.count > 1
                        ? Links.tokenComparison(
                            session.id, from: accessTokens[accessTokens.count - 2].number,
                            to: last.number) : nil
            } ?? nil
    }

    /// The device's entries, with what the server did on its own.
    private static func history(
        _ entries: [SessionHistoryEntry], _ sessionState: ServerSessionState?
    ) -> [SessionModel.HistoryEntry] {
        var lines: [(at: Date, text: String, tone: String, url: String?)] = entries.map { entry in
            (entry.at, entry.title, tone(entry.kind), entry.exchange.map { Links.exchange($0) })
        }
        if let serverSession = sessionState?.session, let at = serverSession.revokedAt {
            let reason = serverSession.revocationReason.map { ": \($0)" } ?? ""
            lines.append((at, "Ended by the server\(reason)", "bad", nil))
        }
        if let at = sessionState?.account?.emailVerifiedAt, let first = entries.first?.at,
            at >= first
        {
            lines.append((at, "Email verified on the server", "", nil))
        }
        if let at = sessionState?.account?.disabledAt {
            lines.append((at, "Account disabled on the server", "bad", nil))
        }
        return lines.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .reversed().map { index, line in
                SessionModel.HistoryEntry(
                    id: "h\(index)", at: line.at.iso8601, time: Format.timeOfDay(line.at),
                    text: line.text, tone: line.tone, exchangeURL: line.url)
            }
    }

    private static func tone(_ kind: String) -> String {
        if kind.hasSuffix(".rejected") { return "bad" }
        switch kind {
        case "revoked": return "bad"
        case "expiredManually", "edited": return "warn"
        default: return ""
        }
    }
}
