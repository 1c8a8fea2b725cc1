import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// Gathers what is stored, claimed and known of one session.
struct SessionBuilder {
    let services: Services
    let judge: SignatureJudge
    let frames: FrameBuilder
    let session: Session
    /// Whether it lives on the device of the browser that asks: only there
    /// can its items be edited.
    let isOwnDevice: Bool
    let csrf: String
    /// The storage key whose whole value is shown.
    let revealed: (key: String, value: String)?

    private var page: String { Links.session(session.id) }
    private var app: App? { services.catalogue.app(session.app) }
    private var isLive: Bool { session.endedAt == nil }

    /// Exchanges shown; the rest is on the traffic page.
    private static let shown = 8

    func build() async throws -> SessionModel {
        let now = services.now(in: session.workspace)
        let device = try await services.simulator.device(session.device, in: session.workspace)
        let partURL = Links.part(page, [])
        let reader = EvidenceReader(services: services, judge: judge)
        let evidence = try await reader.evidence(of: session)
        let views = ThreeViews(evidence: evidence)
        let life = try await SessionLife(services: services, session: session, evidence: evidence)
        return SessionModel(
            frame: try await frames.frame(
                session.who, place: "sessions", workspace: session.workspace, csrf: csrf,
                partURL: partURL), csrf: csrf, partURL: partURL,
            glyph: app.map(GlyphModel.init) ?? .unknown(session.app), user: session.who,
            stateChip: evidence.session.stateChip,
            whereText: "\(app?.name ?? session.app) on "
                + (device?.label ?? "a device that is gone"), probeAction: life.probeAction,
            refreshNowAction: isLive && session.refreshToken != nil
                ? Links.session(session.id, "refresh") : nil,
            signOutURL: isLive ? Links.session(session.id, "sign-out") : nil,
            views: ViewsModel(
                views, askedAt: evidence.answered.map { Words.moment($0.at) },
                isEmbedded: evidence.truth != nil), family: life.family,
            tokenCards: try await tokens(evidence, now), compareURL: life.compareURL,
            storage: try await storage(now), calls: try await calls(),
            known: known(device, evidence, life, now))
    }

    // MARK: Tokens and storage

    private func tokens(_ evidence: Evidence, _ now: Date) async throws -> [TokenModel] {
        func position(_ name: String) -> TokenModel.Position {
            TokenModel.Position(
                testID: "session.token", key: isLive ? app?.storageKey(holding: name)?.key : nil,
                swap: "tokens", revealURL: { Links.query(page, [("reveal", $0)]) }, hideURL: page,
                copyURL: { Links.storageItem(session.place, $0) }, revealed: revealed)
        }
        var cards: [TokenModel] = []
        if let held = session.accessToken {
            cards.append(
                .access(
                    held, verdict: try await judge.verdict(session), at: position("accessToken"),
                    now: now))
        }
        if let held = session.refreshToken {
            cards.append(
                .refresh(
                    held, of: session, lineage: evidence.lineage, at: position("refreshToken"),
                    now: now))
        }
        return cards
    }

    private func storage(_ now: Date) async throws -> StorageModel {
        let position = StorageModel.Position(
            revealURL: { Links.query(page, [("reveal", $0)]) }, hideURL: page,
            editURL: { Links.studio(session.app, "storage/\($0)") }, revealed: revealed)
        var model = StorageModel(
            try await services.simulator.items(session.place), at: isLive ? position : nil, now: now
        )
        if !isOwnDevice { for index in model.items.indices { model.items[index].editURL = nil } }
        model.emptyText = "Nothing is stored on this device for this app."
        return model
    }

    // MARK: Exchanges

    private func calls() async throws -> SessionModel.Calls {
        var query = try await services.exchanges(of: session)
        query.limit = Self.shown
        let found = try await services.exchanges.list(query)
        return .init(
            trafficURL: Links.query(Links.traffic, [("session", session.id)]),
            trafficText: "All \(Words.count(found.total))", anyExchanges: !found.items.isEmpty,
            exchanges: found.items.map {
                ExchangeRowModel(
                    $0,
                    base: services.base(ofBackend: $0.backend, app: $0.app, workspace: $0.workspace)
                )
            })
    }

    // MARK: What is known

    private func known(_ device: Device?, _ evidence: Evidence, _ life: SessionLife, _ now: Date)
        -> SessionModel.Known
    {
        let server = evidence.truth?.session
        let standing = SessionStanding(evidence, canAsk: life.probeAction != nil)
        return .init(
            verdictTitle: standing.title, remaining: standing.remaining, verdictText: standing.text,
            probe: evidence.answered.map {
                ProbeModel($0, isOver: evidence.isOver, now: services.world.now())
            },
            noProbe: life.probeAction == nil
                ? "This app makes no call that would tell whether its backend takes the token."
                : nil, window: life.window, facts: facts(device, server), history: life.history)
    }

    private func facts(_ device: Device?, _ server: EmbeddedBackend.KnownSession?) -> [FactModel] {
        let backend = app?.backends.first { $0.id == session.backend }?.label
        var facts: [FactModel] = [.init("session", session.id, code: true)]
        if let user = server?.userID ?? session.userID {
            facts.append(.init("user", user, code: true))
        }
        if let email = server?.email ?? session.email { facts.append(.init("e-mail", email)) }
        if let server {
            var account = FactModel("account", server.email ?? server.userID)
            account.factURL = Links.account(server.userID)
            facts.append(account)
            facts.append(.init("e-mail verified", server.emailVerified ? "yes" : "no"))
            facts.append(.init("at the server", server.id, code: true))
        }
        facts.append(.init("device", device?.label ?? session.device))
        facts.append(.init("backend", backend ?? session.backend))
        facts.append(.init("signed in", Words.moment(session.createdAt)))
        if let refreshed = session.refreshedAt {
            facts.append(.init("refreshed", Words.moment(refreshed)))
        }
        if let ended = session.endedAt { facts.append(.init("ended", Words.moment(ended))) }
        return facts
    }
}
