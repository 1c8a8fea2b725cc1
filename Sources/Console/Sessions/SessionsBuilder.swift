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
    /// The address's query; its names were checked.
    let asked: [String: String]
    let keyset: Keyset

    static let filters = ["app", "device", "backend", "state", "disagrees", "q"]

    func build() async throws -> SessionsModel {
        let query = try query()
        let page = try await page(query)
        let devices = try await services.simulator.devices(
            in: workspace, before: nil, limit: 1
        ).total
        let partURL = Links.part(Links.sessions, filterItems + keyset.items)
        let list =
            page.items.isEmpty
            ? nil
            : SessionsModel.List(
                rows: try await rows(page.items.map(\.session)))
        let kept = page.totals.values.reduce(0, +)
        return SessionsModel(
            frame: try await frames.frame(
                "Sessions", place: "sessions", workspace: workspace,
                csrf: csrf, partURL: partURL),
            csrf: csrf, partURL: partURL,
            totalText: kept == 0
                ? "none yet"
                : Words.count(kept) + " kept, "
                    + Words.count(devices, "device"),
            filters: filters(partURL, try await toggle()),
            segments: segments(page), sessions: list,
            empty: list == nil ? empty(kept) : nil,
            pager: PagerModel(
                keyset, rows: page.items.count, total: page.total,
                isWhole: page.totalIsWhole,
                first: page.items.first?.sequence,
                last: page.items.last?.sequence, hasNewer: page.hasNewer,
                hasOlder: page.hasOlder
            ) { link(adding: $0) })
    }

    // MARK: What is asked

    private func query() throws(Problem) -> SessionQuery {
        var query = SessionQuery(workspace: workspace)
        query.app = asked["app"]
        query.device = asked["device"]
        query.backend = asked["backend"]
        query.text = asked["q"]?.given
        query.state = try Session.State(asked: asked["state"])
        query.disagreeing = try disagrees()
        query.limit = Keyset.limit
        query.before = keyset.before
        query.after = keyset.after
        return query
    }

    private func disagrees() throws(Problem) -> Bool {
        switch asked["disagrees"] {
        case nil: return false
        case "true"?: return true
        default: throw .badParameter("disagrees", "can be true")
        }
    }

    /// Counted after the rows, which may have found more of them.
    private func toggle() async throws -> FiltersModel.Toggle {
        let count = try await services.simulator.disagreeing(in: workspace)
        let isOn = asked["disagrees"] != nil
        return FiltersModel.Toggle(
            toggleID: "sessions.disagreeing", toggleName: "Disagreeing",
            toggleURL: link(["disagrees": isOn ? nil : "true"]), isOn: isOn,
            toggleCount: count > 0 ? Words.count(count) : nil)
    }

    /// A newer page that reaches the list's beginning is its first page.
    private func page(_ query: SessionQuery) async throws -> SessionPage {
        let page = try await services.simulator.sessions(query)
        guard query.after != nil, !page.hasNewer else { return page }
        var first = query
        first.after = nil
        return try await services.simulator.sessions(first)
    }

    private var filterItems: [(String, String?)] {
        Self.filters.map { ($0, asked[$0]) }
    }

    /// This list with `changes`, from its beginning.
    private func link(_ changes: [String: String?]) -> String {
        Links.query(
            Links.sessions,
            Self.filters.map { ($0, changes[$0] ?? asked[$0]) })
    }

    private func link(adding items: [(String, String?)]) -> String {
        Links.query(Links.sessions, filterItems + items)
    }

    // MARK: Filters

    private func filters(
        _ partURL: String, _ toggle: FiltersModel.Toggle
    ) -> FiltersModel {
        let apps = services.apps
        let chosenApp = apps.first { $0.id == asked["app"] }
        var backends: [(id: String, name: String)] = []
        for backend in (chosenApp.map { [$0] } ?? apps).flatMap(\.backends)
        where !backends.contains(where: { $0.id == backend.id }) {
            backends.append((backend.id, backend.label))
        }
        return FiltersModel(
            filterID: "sessions", action: Links.sessions,
            query: asked["q"] ?? "", searchLabel: "Search sessions",
            placeholder: "user, device, claim",
            kept: Self.filters.filter { $0 != "q" }.compactMap { name in
                asked[name].map { .init(keptName: name, keptValue: $0) }
            },
            segmentKinds: "session.began session.changed session.ended "
                + "workspace.reset",
            filterURL: partURL,
            menus: [
                .init(
                    "app", "App", of: apps.map { ($0.id, $0.name) },
                    chosen: asked["app"]
                ) { link(["app": $0, "backend": nil]) },
                .init(
                    "backend", "Backend", of: backends,
                    chosen: asked["backend"]
                ) { link(["backend": $0]) },
            ],
            summary: (try? Session.State(asked: asked["state"]))
                .map { $0.words.capitalizedFirst } ?? "All",
            toggle: toggle)
    }

    private func segments(_ page: SessionPage) -> [FiltersModel.Segment] {
        let states: [Session.State?] = [nil] + Session.State.allCases
        return states.map { state in
            .init(
                segmentID: "sessions.state.\(state?.rawValue ?? "all")",
                name: state?.words.capitalizedFirst ?? "All",
                segmentCount: Words.count(
                    state.map { page.fitting[$0] ?? 0 }
                        ?? page.fitting.values.reduce(0, +),
                    isWhole: page.totalIsWhole),
                href: link(["state": state?.rawValue]),
                current: asked["state"] == state?.rawValue)
        }
    }

    private func empty(_ kept: Int) -> EmptyModel {
        guard kept == 0 else {
            return .nothingFits(
                "No session fits",
                "There are \(Words.count(kept, "session")) without these "
                    + "filters.",
                drawing: .key, all: Links.sessions)
        }
        return .nothingYet(
            "No sessions yet",
            "A session appears here when somebody signs in on a phone, with "
                + "its tokens, what they claim and how long they last.",
            drawing: .key, call: "GET /api/sessions?state=active",
            studioOf: services.firstApp)
    }

    // MARK: Rows

    private func rows(
        _ sessions: [Session]
    ) async throws -> [SessionsModel.Row] {
        var labels: [String: String] = [:]
        for id in Set(sessions.map(\.device)) {
            labels[id] = try await services.simulator.device(
                id, in: workspace)?.label
        }
        let verdicts = try await judge.verdicts(of: sessions)
        let drift = try await EvidenceReader(
            services: services, judge: judge
        ).drift(of: sessions)
        let now = services.now(in: workspace)
        return sessions.map { session in
            SessionsModel.Row(
                session, app: services.catalogue.app(session.app),
                device: labels[session.device],
                verdict: verdicts[session.id],
                drift: drift[session.id] ?? 0, now: now)
        }
    }
}

extension Session.State {
    /// The state an address asks for; nil for all.
    init?(asked word: String?) throws(Problem) {
        guard let word else { return nil }
        guard let state = Self(rawValue: word) else {
            let known = Self.allCases.map(\.rawValue)
            throw .badParameter(
                "state", "can be \(known.joined(separator: ", "))")
        }
        self = state
    }
}
