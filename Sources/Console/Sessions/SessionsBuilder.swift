import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// Gathers what the list of sessions shows under its filters.
struct SessionsBuilder {
    let services: Services
    let judge: SignatureJudge
    let frames: FrameBuilder
    let workspace: String
    let csrf: String
    let listing: Listing

    private var asked: [String: String] { listing.asked }

    static let filters = ["app", "device", "backend", "state", "disagrees", "q"]

    func build() async throws -> SessionsModel {
        await services.simulator.checks.settle(in: workspace)
        let query = try SessionsAPI.query(asked, in: workspace)
        let page = try await listing.page { before, after in
            var query = query
            query.limit = Keyset.limit
            query.before = before
            query.after = after
            return try await services.simulator.sessions(query)
        }
        let devices = try await services.simulator.devices(in: workspace, before: nil, limit: 1)
            .total
        let list =
            page.items.isEmpty
            ? nil : SessionsModel.List(rows: try await rows(page.items.map(\.session)))
        let kept = page.totals.values.reduce(0, +)
        return SessionsModel(
            frame: try await frames.frame(
                "Sessions", place: "sessions", workspace: workspace, csrf: csrf,
                partURL: listing.partURL), csrf: csrf, partURL: listing.partURL,
            totalText: kept == 0
                ? "none yet" : Words.count(kept) + " kept, " + Words.count(devices, "device"),
            filters: filters(try await toggle()),
            segments: listing.segments(
                Session.State.allCases, named: \.words, totals: page.fitting,
                isWhole: page.totalIsWhole), sessions: list, empty: list == nil ? empty(kept) : nil,
            pager: listing.pager(page))
    }

    // MARK: Filters

    private func toggle() async throws -> FiltersModel.Toggle {
        let count = try await services.simulator.disagreeing(in: workspace)
        let isOn = asked["disagrees"] != nil
        return FiltersModel.Toggle(
            toggleID: "sessions.disagreeing", toggleName: "Disagreeing",
            toggleURL: listing.link(["disagrees": isOn ? nil : "true"]), isOn: isOn,
            toggleCount: count > 0 ? Words.count(count) : nil)
    }

    private func filters(_ toggle: FiltersModel.Toggle) -> FiltersModel {
        let apps = services.apps
        let chosenApp = apps.first { $0.id == asked["app"] }
        var backends: [(id: String, name: String)] = []
        for backend in (chosenApp.map { [$0] } ?? apps).flatMap(\.backends)
        where !backends.contains(where: { $0.id == backend.id }) {
            backends.append((backend.id, backend.label))
        }
        return FiltersModel(
            listing, search: "Search sessions", placeholder: "user, device, claim",
            kinds: "session.began session.changed session.ended "
                + "workspace.reset account.changed account.removed",
            menus: [
                .init("app", "App", of: apps.map { ($0.id, $0.name) }, chosen: asked["app"]) {
                    listing.link(["app": $0, "backend": nil])
                },
                .init("backend", "Backend", of: backends, chosen: asked["backend"]) {
                    listing.link(["backend": $0])
                },
            ], summary: asked["state"].flatMap(Session.State.init(rawValue:))?.words, toggle: toggle
        )
    }

    private func empty(_ kept: Int) -> EmptyModel {
        guard kept == 0 else {
            if let none = EmptyModel.signs(
                in: listing.asked["q"], drawing: .key, all: Links.sessions)
            {
                return none
            }
            return .nothingFits(
                "No session fits",
                "There are \(Words.count(kept, "session")) without these filters.",
                drawing: .key, all: Links.sessions)
        }
        return .nothingYet(
            "No sessions yet",
            "A session appears here when somebody signs in on a phone, with "
                + "its tokens, what they claim and how long they last.", drawing: .key,
            call: "GET /api/sessions?state=active", studioOf: services.firstApp)
    }

    // MARK: Rows

    private func rows(_ sessions: [Session]) async throws -> [SessionsModel.Row] {
        var labels: [String: String] = [:]
        for id in Set(sessions.map(\.device)) {
            labels[id] = try await services.simulator.device(id, in: workspace)?.label
        }
        let verdicts = try await judge.verdicts(of: sessions)
        let now = services.now(in: workspace)
        return sessions.map { session in
            SessionsModel.Row(
                session, app: services.catalogue.app(session.app), device: labels[session.device],
                verdict: verdicts[session.id], drift: session.disagreements, now: now)
        }
    }
}

extension SessionPage: KeyedPage {
    static func key(_ item: (sequence: Int64, session: Session)) -> Int64 { item.sequence }
}
