import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Traffic
import Web

/// Builds the page of one session.
struct SessionBuilder {
    let services: Services
    let session: Session
    /// Whether the session is on the requesting browser's device: only there can its items be
    /// edited.
    let isBrowserDevice: Bool
    /// The storage key whose value is shown unmasked.
    let revealed: (key: String, value: String)?

    private var pageURL: String { Links.session(session.id) }
    private var app: App? { services.appCatalog.app(session.app) }
    private var isLive: Bool { session.endedAt == nil }
    /// POST; nil if the app has no call that checks the token.
    private var probeAction: String? {
        app?.probeCall(for: session.backend).map { _ in Links.probeSession(session.id) }
    }

    /// Number of requests shown; the traffic page has all.
    private static let exchangeLimit = 8

    func build() async throws -> Page<SessionModel> {
        let simulator = services.simulator
        let now = services.now(in: session.workspace)
        let device = try await simulator.device(session.device, in: session.workspace)
        let sources = try await services.sessionSourcesReader.sources(of: session)
        let history = try await simulator.history(ofSession: session.id, in: session.workspace)
        let archivedTokens = try await simulator.archivedTokens(
            ofSession: session.id, in: session.workspace)
        return Page(
            session.userLabel, navItem: "sessions", url: pageURL,
            SessionModel(
                glyph: GlyphModel(app, id: session.app), user: session.userLabel,
                stateChip: sources.session.stateChip,
                locationText: "\(app?.name ?? session.app) on "
                    + (device?.label ?? "a deleted device"), probeAction: probeAction,
                refreshAction: isLive && session.refreshToken != nil
                    ? Links.refreshSession(session.id) : nil,
                signOutURL: isLive ? Links.signOut(session.id) : nil,
                comparison: SessionComparisonModel(SessionComparison(sources: sources)),
                family: family(history, sources), tokenCards: try await tokenCards(sources, now),
                compareURL: compareURL(archivedTokens, sources), storage: try await storage(now),
                calls: try await calls(),
                status: status(device, history, archivedTokens, sources)))
    }

    // MARK: Tokens and storage

    private var links: StoredItemLinks {
        StoredItemLinks(
            instance: session.instance, pageURL: pageURL, revealed: revealed,
            isEditable: isBrowserDevice)
    }

    private func family(_ history: [SessionHistoryEntry], _ sources: SessionSources) -> FamilyModel
    {
        FamilyModel(
            Family(
                session, history: history, generations: sources.generations,
                sessionState: sources.serverState),
            of: session, id: sources.serverState?.session?.id, generations: sources.generations,
            canRefresh: sources.hasRefreshToken,
            hasRefreshCall: app?.session.refreshCall.map {
                !(app?.isCallMissing($0, backend: session.backend) ?? true)
            } ?? false)
    }

    private func tokenCards(_ sources: SessionSources, _ now: Date) async throws -> [TokenModel] {
        TokenModel.cards(
            of: session, testID: "session.token",
            verdict: try await services.signatureVerifier.verdict(session),
            lineage: sources.lineage, links: links,
            key: { isLive ? app?.storageKey(holding: $0)?.key : nil }, now: now)
    }

    /// Compares the last two access tokens, of which the current one need not be archived.
    private func compareURL(_ archivedTokens: [ArchivedToken], _ sources: SessionSources)
        -> String?
    {
        let numbers = archivedTokens.filter { $0.kind == .access && $0.origin == .device }
            .map(\.number).suffix(2)
        guard let last = numbers.last else { return nil }
        if sources.hasAccessToken { return Links.tokenComparison(session.id, from: last, to: nil) }
        return numbers.count > 1
            ? Links.tokenComparison(session.id, from: numbers.first ?? last, to: last) : nil
    }

    private func storage(_ now: Date) async throws -> StorageModel {
        StorageModel(
            try await services.simulator.storageItems(session.instance),
            links: isLive ? links : nil, now: now)
    }

    private func calls() async throws -> SessionModel.Calls {
        var query = try await services.exchangeQuery(of: session)
        query.keyset.limit = Self.exchangeLimit
        let page = try await services.exchanges.list(query)
        return .init(
            trafficURL: Links.url(Links.traffic, [("session", session.id)]),
            trafficText: "All \(Format.count(page.total))",
            exchanges: page.items.map { ExchangeRowModel($0, base: services.baseURL(of: $0)) })
    }

    // MARK: Status

    private func status(
        _ device: Device?, _ history: [SessionHistoryEntry], _ archivedTokens: [ArchivedToken],
        _ sources: SessionSources
    ) -> SessionModel.Status {
        let statusText = SessionStatusText(sources, canProbe: probeAction != nil)
        let systemNow = services.world.now()
        return .init(
            statusTitle: statusText.title, remaining: statusText.remaining,
            statusText: statusText.text,
            probe: sources.lastResponse.map {
                ProbeModel($0, hasEnded: sources.hasEnded, now: systemNow)
            },
            unexpiredTokens: unexpiredTokens(archivedTokens, sources, systemNow),
            details: details(device, sources.serverState),
            history: Self.history(history, sources.serverState))
    }

    private func unexpiredTokens(
        _ archivedTokens: [ArchivedToken], _ sources: SessionSources, _ systemNow: Date
    ) -> UnexpiredTokensModel {
        let tokens = UnexpiredToken.all(session, kept: archivedTokens, sources)
        var probes: [String: SessionObservation] = [:]
        for token in tokens {
            let masked = token.token.maskedValue
            probes[masked] = services.simulator.lastProbe(ofSession: session.id, token: masked)
            // Any call of the app also checks the stored token.
            if token.number == nil, let observation = sources.currentTokenResponse {
                probes[masked] = observation
            }
        }
        return UnexpiredTokensModel(
            tokens, hasEnded: sources.hasEnded, probes: probes,
            now: sources.now, systemNow: systemNow)
    }

    private func details(_ device: Device?, _ server: ServerSessionState?) -> [DetailModel] {
        let backend = app?.backends.first { $0.id == session.backend }?.label
        var rows: [DetailModel] = [.init("Session", session.id, isCode: true)]
        let account = server?.session == nil ? nil : server?.account
        if let user = account?.id ?? session.userID {
            rows.append(.init("User", user, isCode: true))
        }
        if let email = account?.email ?? session.email { rows.append(.init("Email", email)) }
        if let account, let serverSession = server?.session {
            var detail = DetailModel("Account", account.email ?? account.id)
            detail.valueURL = Links.account(account.id)
            rows.append(detail)
            rows.append(.init("Email verified", account.emailVerifiedAt == nil ? "No" : "Yes"))
            rows.append(.init("Server session ID", serverSession.id, isCode: true))
        }
        rows.append(.init("Device", device?.label ?? session.device))
        rows.append(.init("Backend", backend ?? session.backend))
        rows.append(.init("Signed in", Format.dateTime(session.createdAt)))
        if let refreshed = session.refreshedAt {
            rows.append(.init("Refreshed", Format.dateTime(refreshed)))
        }
        if let ended = session.endedAt { rows.append(.init("Ended", Format.dateTime(ended))) }
        return rows
    }

    /// The device's entries, with what the server did on its own, the newest first.
    private static func history(_ entries: [SessionHistoryEntry], _ state: ServerSessionState?)
        -> [HistoryEntryModel]
    {
        var lines: [(at: Date, text: String, tone: String, exchange: String?)] = entries.map {
            ($0.at, $0.title, tone($0.kind), $0.exchange)
        }
        if let serverSession = state?.session, let at = serverSession.revokedAt?.date {
            let reason = serverSession.revocationReason.map { ": \($0)" } ?? ""
            lines.append((at, "Ended by the server\(reason)", "bad", nil))
        }
        if let at = state?.account?.emailVerifiedAt?.date, let first = entries.first?.at, at >= first {
            lines.append((at, "Email verified on the server", "", nil))
        }
        if let at = state?.account?.disabledAt?.date {
            lines.append((at, "Account disabled on the server", "bad", nil))
        }
        return lines.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .reversed().map { index, line in
                HistoryEntryModel(
                    id: "h\(index)", line.at, line.text, tone: line.tone, exchange: line.exchange)
            }
    }

    private static func tone(_ kind: String) -> String {
        if kind.hasSuffix(".rejected") { return "bad" }
        return switch kind {
        case "revoked": "bad"
        case "expiredManually", "edited": "warn"
        default: ""
        }
    }
}
