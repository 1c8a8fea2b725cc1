import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Templates
import Web

/// The filtered list of sessions.
extension SessionsPages {
    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        var query = SessionQuery(workspace: workspace)
        let listing = try ListQuery(
            context, Links.sessions,
            filters: ["app", "device", "backend", "state", "outOfSync", "q"]
        ) { query = SessionQuery(&$0) }
        query.workspace = workspace
        await services.simulator.sessionChecks.waitUntilIdle(in: workspace)
        let sessions = try await listing.position.fetch(hasNewer: \.page.hasNewer) { keyset in
            query.keyset = keyset
            return try await services.simulator.sessions(query)
        }
        let total = sessions.workspaceTotals.values.reduce(0, +)
        let devices = try await services.simulator.devices(in: workspace, at: Keyset(limit: 1))
        let outOfSync = try await services.simulator.outOfSyncSessionCount(in: workspace)
        let model = listing.model(
            sessions.page, rows: try await rows(sessions.page.items, in: workspace),
            totalText: total == 0
                ? "No sessions"
                : Format.count(total, "session") + ", " + Format.count(devices.total, "device"),
            links: [
                "seedURL": Links.url(Links.seedSession, [("app", query.app)]),
                "signOutURL": total == 0
                    ? nil : Links.url(Links.signOutAll, listing.filterItems),
            ],
            liveEventKinds: "session.began session.changed session.ended workspace.reset "
                + "account.changed account.removed device.removed",
            filters: filters(query, listing, outOfSync: outOfSync),
            segments: listing.segments(
                Session.State.allCases, named: \.label, totals: sessions.filteredTotals,
                isExact: sessions.page.totalIsExact), empty: emptyState(listing, total))
        return try await services.respond(to: context, listing, model)
    }

    private func filters(_ query: SessionQuery, _ listing: ListQuery, outOfSync count: Int)
        -> TemplateModel
    {
        let apps = services.appCatalog.apps
        let chosenApp = apps.first { $0.id == query.app }
        var backends: [(id: String, name: String)] = []
        for backend in (chosenApp.map { [$0] } ?? apps).flatMap(\.backends)
        where !backends.contains(where: { $0.id == backend.id }) {
            backends.append((backend.id, backend.label))
        }
        return listing.filters(
            search: "Search sessions", placeholder: "User, device, claim",
            menus: [
                .init("app", "App", of: apps.map { ($0.id, $0.name) }, chosen: query.app) {
                    listing.url(["app": $0, "backend": nil])
                },
                .init("backend", "Backend", of: backends, chosen: query.backend) {
                    listing.url(["backend": $0])
                },
            ], summary: query.state?.label,
            toggle: [
                "toggleURL": listing.url(["outOfSync": query.isOutOfSync ? nil : "true"]),
                "isOn": query.isOutOfSync, "toggleCount": count > 0 ? Format.count(count) : nil,
            ])
    }

    private func emptyState(_ listing: ListQuery, _ total: Int) -> TemplateModel {
        total > 0
            ? .noMatches(
                listing, "There are \(Format.count(total, "session")) without these filters.",
                drawing: .key)
            : .noItems(
                "No sessions yet",
                "Sign in on a device: its session appears here with its tokens, "
                    + "their claims and their expiry.", drawing: .key,
                call: "GET /api/sessions?state=active", studioOf: services.firstApp)
    }

    private func rows(_ sessions: [Session], in workspace: String) async throws -> [SessionRow] {
        var labels: [String: String] = [:]
        for id in Set(sessions.map(\.device)) {
            labels[id] = try await services.simulator.device(id, in: workspace)?.label
        }
        let verdicts = try await services.signatureVerifier.verdicts(of: sessions)
        let now = services.now(in: workspace)
        return sessions.map { session in
            SessionRow(
                session, app: services.appCatalog.app(session.app), device: labels[session.device],
                verdict: verdicts[session.id], now: now)
        }
    }
}

/// The filters of a list of sessions, as URL parameters of the API and the page.
extension SessionQuery {
    /// A query whose workspace is not set.
    init(_ query: inout QueryReader) {
        self.init(workspace: "")
        app = query.string("app", "An app's id.")
        device = query.string("device", "A device's id.")
        backend = query.string("backend", "A backend's id.")
        state = query.choice("state", "The current state.", of: Session.State.self)
        let outOfSync = query.choice(
            "outOfSync",
            "Only sessions with mismatches at their last check: \(Discrepancy.countingRule)",
            among: ["true"])
        isOutOfSync = outOfSync != nil
        text = query.string("q", "Words in user, device or claims, each a prefix.")?.nonEmpty
    }
}

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
        // The token's own claims do not matter any more.
        let isOver = ended || session.state == .revoked
        let expiry = isOver ? nil : access?.expiresAt
        let lifetime = access.flatMap { summary in
            summary.expiresAt?.timeIntervalSince(summary.issuedAt ?? summary.receivedAt)
        }
        let secondsLeft = expiry?.timeIntervalSince(now)
        let signature: (word: String, tone: String, icon: String?) =
            switch isOver ? nil : verdict?.status {
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
