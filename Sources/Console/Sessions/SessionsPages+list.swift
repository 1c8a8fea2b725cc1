import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Web

/// The filtered list of sessions.
extension SessionsPages {
    @Sendable func list(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let listing = try ListQuery(
            context, Links.sessions,
            filters: ["app", "device", "backend", "state", "outOfSync", "q"])
        var query = try SessionQuery(listing.queryParameters, in: workspace)
        await services.simulator.sessionChecks.waitUntilIdle(in: workspace)
        let sessions = try await listing.position.fetch(hasNewer: \.page.hasNewer) { keyset in
            query.keyset = keyset
            return try await services.simulator.sessions(query)
        }
        let total = sessions.workspaceTotals.values.reduce(0, +)
        let devices = try await services.simulator.devices(in: workspace, before: nil, limit: 1)
            .total
        let outOfSync = try await services.simulator.outOfSyncSessionCount(in: workspace)
        let model = ListModel(
            listing, sessions.page, rows: try await rows(sessions.page.items, in: workspace),
            totalText: total == 0
                ? "No sessions"
                : Format.count(total, "session") + ", " + Format.count(devices, "device"),
            liveEventKinds: "session.began session.changed session.ended workspace.reset "
                + "account.changed account.removed",
            filters: filters(query, listing, outOfSync: outOfSync),
            segments: listing.segments(
                Session.State.allCases, named: \.label, totals: sessions.filteredTotals,
                isExact: sessions.page.totalIsExact), empty: emptyState(listing, total))
        return try await services.respondWithList(
            to: context, Page("Sessions", navItem: "sessions", url: listing.pageURL, model),
            "sessions")
    }

    private func filters(_ query: SessionQuery, _ listing: ListQuery, outOfSync count: Int)
        -> FiltersModel
    {
        let apps = services.appCatalog.apps
        let chosenApp = apps.first { $0.id == query.app }
        var backends: [(id: String, name: String)] = []
        for backend in (chosenApp.map { [$0] } ?? apps).flatMap(\.backends)
        where !backends.contains(where: { $0.id == backend.id }) {
            backends.append((backend.id, backend.label))
        }
        return FiltersModel(
            listing, search: "Search sessions", placeholder: "User, device, claim",
            menus: [
                .init("app", "App", of: apps.map { ($0.id, $0.name) }, chosen: query.app) {
                    listing.url(["app": $0, "backend": nil])
                },
                .init("backend", "Backend", of: backends, chosen: query.backend) {
                    listing.url(["backend": $0])
                },
            ], summary: query.state?.label,
            toggle: .init(
                toggleID: "sessions.outofsync", toggleName: "Out of sync",
                toggleURL: listing.url(["outOfSync": query.isOutOfSync ? nil : "true"]),
                isOn: query.isOutOfSync, toggleCount: count > 0 ? Format.count(count) : nil))
    }

    private func emptyState(_ listing: ListQuery, _ total: Int) -> EmptyStateModel {
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
