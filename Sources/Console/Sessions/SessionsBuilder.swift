import Apps
import Backend
import Core
import FoundationEssentials
import Inspection
import Simulator
import Web

/// Builds the filtered list of sessions.
struct SessionsBuilder {
    let services: Services
    let workspace: String
    let listing: ListQuery

    private var queryParameters: [String: String] { listing.queryParameters }

    static let filters = ["app", "device", "backend", "state", "outOfSync", "q"]

    private static let liveEventKinds =
        "session.began session.changed session.ended workspace.reset account.changed "
        + "account.removed"

    func build() async throws -> Page<ListModel<SessionRow>> {
        await services.simulator.sessionChecks.waitUntilIdle(in: workspace)
        let page = try await listing.fetchPage(try SessionQuery(queryParameters, in: workspace)) {
            try await services.simulator.sessions($0)
        }
        let devices = try await services.simulator.devices(in: workspace, before: nil, limit: 1)
            .total
        let total = page.workspaceTotals.values.reduce(0, +)
        return Page(
            "Sessions", navItem: "sessions", url: listing.pageURL,
            ListModel(
                listing, page, rows: try await rows(page.items.map(\.session)),
                totalText: total == 0
                    ? "No sessions"
                    : Format.count(total, "session") + ", " + Format.count(devices, "device"),
                liveEventKinds: Self.liveEventKinds, filters: filters(try await toggle()),
                segments: listing.segments(
                    Session.State.allCases, named: \.label, totals: page.filteredTotals,
                    isExact: page.totalIsExact), empty: emptyState(total)))
    }

    // MARK: Filters

    private func toggle() async throws -> FiltersModel.Toggle {
        let count = try await services.simulator.outOfSyncSessionCount(in: workspace)
        let isOn = queryParameters["outOfSync"] != nil
        return FiltersModel.Toggle(
            toggleID: "sessions.outofsync", toggleName: "Out of sync",
            toggleURL: listing.url(["outOfSync": isOn ? nil : "true"]), isOn: isOn,
            toggleCount: count > 0 ? Format.count(count) : nil)
    }

    private func filters(_ toggle: FiltersModel.Toggle) -> FiltersModel {
        let apps = services.appCatalog.apps
        let chosenApp = apps.first { $0.id == queryParameters["app"] }
        var backends: [(id: String, name: String)] = []
        for backend in (chosenApp.map { [$0] } ?? apps).flatMap(\.backends)
        where !backends.contains(where: { $0.id == backend.id }) {
            backends.append((backend.id, backend.label))
        }
        return FiltersModel(
            listing, search: "Search sessions", placeholder: "User, device, claim",
            menus: [
                .init(
                    "app", "App", of: apps.map { ($0.id, $0.name) }, chosen: queryParameters["app"]
                ) { listing.url(["app": $0, "backend": nil]) },
                .init("backend", "Backend", of: backends, chosen: queryParameters["backend"]) {
                    listing.url(["backend": $0])
                },
            ], summary: queryParameters["state"].flatMap(Session.State.init(rawValue:))?.label,
            toggle: toggle)
    }

    private func emptyState(_ total: Int) -> EmptyStateModel {
        guard total == 0 else {
            return .noMatches(
                listing, "There are \(Format.count(total, "session")) without these filters.",
                drawing: .key)
        }
        return .noItems(
            "No sessions yet",
            "Sign in on a device: its session appears here with its tokens, "
                + "their claims and their expiry.", drawing: .key,
            call: "GET /api/sessions?state=active", studioOf: services.firstApp)
    }

    // MARK: Rows

    private func rows(_ sessions: [Session]) async throws -> [SessionRow] {
        var labels: [String: String] = [:]
        for id in Set(sessions.map(\.device)) {
            labels[id] = try await services.simulator.device(id, in: workspace)?.label
        }
        let verdicts = try await services.signatureVerifier.verdicts(of: sessions)
        let now = services.now(in: workspace)
        return sessions.map { session in
            SessionRow(
                session, app: services.appCatalog.app(session.app), device: labels[session.device],
                verdict: verdicts[session.id], discrepancyCount: session.discrepancyCount, now: now)
        }
    }
}

extension SessionQuery: KeyedQuery {}

extension SessionPage: KeyedPage {
    static func key(_ item: (sequence: Int64, session: Session)) -> Int64 { item.sequence }
}
