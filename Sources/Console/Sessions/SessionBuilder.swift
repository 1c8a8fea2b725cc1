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

    /// Number of requests shown; the traffic page has all.
    private static let exchangeLimit = 8

    func build() async throws -> Page<SessionModel> {
        let now = services.now(in: session.workspace)
        let device = try await services.simulator.device(session.device, in: session.workspace)
        let reader = services.sessionSourcesReader
        let sources = try await reader.sources(of: session)
        let comparison = SessionComparison(sources: sources)
        let lifecycle = try await SessionLifecycle(
            services: services, session: session, sources: sources)
        return Page(
            session.userLabel, navItem: "sessions", url: pageURL,
            SessionModel(
                glyph: GlyphModel(app, id: session.app), user: session.userLabel,
                stateChip: sources.session.stateChip,
                locationText: "\(app?.name ?? session.app) on "
                    + (device?.label ?? "a deleted device"), probeAction: lifecycle.probeAction,
                refreshAction: isLive && session.refreshToken != nil
                    ? Links.refreshSession(session.id) : nil,
                signOutURL: isLive ? Links.signOut(session.id) : nil,
                comparison: SessionComparisonModel(
                    comparison, askedAt: sources.lastResponse.map { Format.dateTime($0.at) },
                    isEmbedded: sources.serverState != nil), family: lifecycle.family,
                tokenCards: try await tokenCards(sources, now), compareURL: lifecycle.compareURL,
                storage: try await storage(now), calls: try await calls(),
                status: statusModel(device, sources, lifecycle, now)))
    }

    // MARK: Tokens and storage

    private var links: StoredItemLinks {
        StoredItemLinks(
            instance: session.instance, pageURL: pageURL, revealed: revealed,
            isEditable: isBrowserDevice)
    }

    private func tokenCards(_ sources: SessionSources, _ now: Date) async throws -> [TokenModel] {
        TokenModel.cards(
            of: session, testID: "session.token",
            verdict: try await services.signatureVerifier.verdict(session),
            lineage: sources.lineage, links: links,
            key: { isLive ? app?.storageKey(holding: $0)?.key : nil }, now: now)
    }

    private func storage(_ now: Date) async throws -> StorageModel {
        var model = StorageModel(
            try await services.simulator.storageItems(session.instance),
            links: isLive ? links : nil, now: now)
        model.emptyText = "No stored data"
        return model
    }

    // MARK: Exchanges

    private func calls() async throws -> SessionModel.Calls {
        var query = try await services.exchangeQuery(of: session)
        query.limit = Self.exchangeLimit
        let page = try await services.exchanges.list(query)
        return .init(
            trafficURL: Links.url(Links.traffic, [("session", session.id)]),
            trafficText: "All \(Format.count(page.total))", anyExchanges: !page.items.isEmpty,
            exchanges: page.items.map { ExchangeRowModel($0, base: services.baseURL(of: $0)) })
    }

    // MARK: Status

    private func statusModel(
        _ device: Device?, _ sources: SessionSources, _ lifecycle: SessionLifecycle, _ now: Date
    ) -> SessionModel.Status {
        let server = sources.serverState?.session
        let statusText = SessionStatusText(sources, canProbe: lifecycle.probeAction != nil)
        return .init(
            statusTitle: statusText.title, remaining: statusText.remaining,
            statusText: statusText.text,
            probe: sources.lastResponse.map {
                ProbeModel($0, hasEnded: sources.hasEnded, now: services.world.now())
            },
            probeUnavailableReason: lifecycle.probeAction == nil
                ? "This app has no call that tests its token."
                : nil, unexpiredTokens: lifecycle.unexpiredTokens, details: details(device, server),
            history: lifecycle.history)
    }

    private func details(_ device: Device?, _ server: EmbeddedBackend.SessionInfo?) -> [DetailModel]
    {
        let backend = app?.backends.first { $0.id == session.backend }?.label
        var rows: [DetailModel] = [.init("Session", session.id, isCode: true)]
        if let user = server?.userID ?? session.userID {
            rows.append(.init("User", user, isCode: true))
        }
        if let email = server?.email ?? session.email { rows.append(.init("Email", email)) }
        if let server {
            var account = DetailModel("Account", server.email ?? server.userID)
            account.valueURL = Links.account(server.userID)
            rows.append(account)
            rows.append(.init("Email verified", server.isEmailVerified ? "Yes" : "No"))
            rows.append(.init("Server session ID", server.id, isCode: true))
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
}
