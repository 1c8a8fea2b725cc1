import Apps
import Simulator
import Surroundings
import Traffic
import Web

/// Gathers what the list of exchanges shows under its filters.
struct TrafficBuilder {
    let services: Services
    let frames: FrameBuilder
    let csrf: String
    let listing: Listing
    /// What it asks for, without a place in the list.
    let query: ExchangeQuery
    /// The session it is narrowed to.
    let session: Session?

    private var asked: [String: String] { listing.asked }

    static let filters = [
        "app", "device", "call", "cause", "status", "condition", "token", "since", "span", "until",
        "session", "q",
    ]

    func build() async throws -> TrafficModel {
        let page = try await listing.page { before, after in
            var query = query
            query.limit = Keyset.limit
            query.before = before
            query.after = after
            return try await services.exchanges.list(query)
        }
        let kept = try await services.exchanges.totals(workspace: query.workspace)
        let totals = try await totals(kept, page)
        let isEmpty = page.items.isEmpty
        return TrafficModel(
            frame: try await frames.frame(
                "Traffic", place: "traffic", workspace: query.workspace, csrf: csrf,
                partURL: listing.partURL), csrf: csrf, partURL: listing.partURL,
            totalText: "\(Words.count(kept.all)) of "
                + "\(Words.count(services.exchanges.keptCount)) kept"
                + (session.map { ", those of \($0.who) below" } ?? ""),
            harURL: isEmpty ? nil : Links.query(Links.trafficArchive, listing.items),
            forgetTrafficURL: kept.all == 0 ? nil : Links.forgetTraffic, filters: filters(),
            segments: segments(totals), traffic: isEmpty ? nil : .init(exchanges: rows(page.items)),
            empty: isEmpty ? empty(kept.all) : nil, pager: listing.pager(page))
    }

    // MARK: What is asked

    /// How many of each sort there are under the other filters; of the whole
    /// workspace they are kept, otherwise they are counted.
    ///
    /// Of very many only those of the chosen sort are: nil for the others.
    private func totals(_ kept: ExchangeTotals, _ page: ExchangePage) async throws -> [Sort: String]
    {
        let sorts: Set<String> = ["status", "cause"]
        guard Self.filters.contains(where: { !sorts.contains($0) && asked[$0] != nil }) else {
            return [
                .all: kept.all, .refused: kept.refused, .none: kept.noAnswer,
                .refresh: kept.refresh,
            ].mapValues { Words.count($0) }
        }
        func words(_ page: ExchangePage) -> String {
            Words.count(page.total, isWhole: page.totalIsWhole)
        }
        guard kept.all <= ExchangeTotals.fewEnough else {
            let chosen = Sort.allCases.first { $0.isChosen(asked) }
            return chosen.map { [$0: words(page)] } ?? [:]
        }
        func count(_ change: (inout ExchangeQuery) -> Void) async throws -> String {
            var query = query
            query.status = nil
            query.cause = nil
            query.limit = 1
            change(&query)
            return words(try await services.exchanges.list(query))
        }
        return [
            .all: try await count { _ in }, .refused: try await count { $0.status = .refused },
            .none: try await count { $0.status = .noAnswer },
            .refresh: try await count { $0.cause = .refresh },
        ]
    }

    // MARK: Filters

    private func filters() -> FiltersModel {
        let apps = services.apps
        let chosen = apps.first { $0.id == query.app }
        let calls = Set(
            (chosen.map { [$0] } ?? apps).flatMap { app in
                app.calls.keys + app.backends.flatMap(\.calls.keys)
            }
        ).sorted()
        let causes = ExchangeContext.Cause.allCases.map {
            (id: $0.rawValue, name: ExchangeRowModel.cause($0).text)
        }
        return FiltersModel(
            listing, search: "Search URL and bodies by how words begin",
            placeholder: "start of a word in URL or body",
            kinds: "exchange.ended exchanges.imported exchanges.forgotten workspace.reset",
            menus: [
                .init("app", "App", of: apps.map { ($0.id, $0.name) }, chosen: query.app) {
                    listing.link(["app": $0, "call": nil, "session": nil])
                },
                .init("call", "Call", of: calls.map { ($0, $0) }, chosen: asked["call"]) {
                    listing.link(["call": $0])
                },
                .init("cause", "Cause", of: causes, chosen: asked["cause"]) {
                    listing.link(["cause": $0])
                },
                .init(
                    "more", "More", of: TrafficNarrowing.choices,
                    chosen: TrafficNarrowing.chosen(asked)
                ) { listing.link(TrafficNarrowing.changes($0, at: services.world.now())) },
            ], summary: Sort.allCases.first { $0.isChosen(asked) }?.name ?? "Filtered")
    }

    /// The sorts that stand beside the search.
    private enum Sort: String, CaseIterable {
        case all, refused, none, refresh

        var name: String {
            switch self {
            case .all: "All"
            case .refused: "Refused"
            case .none: "No answer"
            case .refresh: "Refresh"
            }
        }

        var status: String? { self == .refused || self == .none ? rawValue : nil }

        func isChosen(_ asked: [String: String]) -> Bool {
            switch self {
            case .all: asked["status"] == nil && asked["cause"] == nil
            case .refused, .none: asked["status"] == rawValue
            case .refresh: asked["status"] == nil && asked["cause"] == rawValue
            }
        }
    }

    private func segments(_ totals: [Sort: String]) -> [FiltersModel.Segment] {
        Sort.allCases.map { sort in
            .init(
                segmentID: "traffic.sort.\(sort.rawValue)", name: sort.name,
                segmentCount: totals[sort] ?? "",
                href: listing.link([
                    "status": sort.status, "cause": sort == .refresh ? sort.rawValue : nil,
                ]), current: sort.isChosen(asked))
        }
    }

    private func empty(_ kept: Int) -> EmptyModel {
        guard kept == 0 else {
            if let none = EmptyModel.signs(in: asked["q"], drawing: .traffic, all: Links.traffic) {
                return none
            }
            return .nothingFits(
                "No exchange fits",
                "\(Words.count(kept, "exchange")) are kept. None of them fits these filters."
                    + (asked["q"] == nil
                        ? ""
                        : " A search finds words of URL and bodies by their "
                            + "beginning: auth finds /auth/me and not /oauth."),
                drawing: .traffic, all: Links.traffic)
        }
        return .nothingYet(
            "No traffic yet",
            "Every request an app sends appears here with its answer, how "
                + "long it took, and what made it leave. Tokens are masked.", drawing: .traffic,
            call: "GET /api/exchanges?status=refused", studioOf: services.firstApp)
    }

    // MARK: Rows

    private func rows(_ exchanges: [Exchange]) -> [ExchangeRowModel] {
        let brackets = CauseBrackets.of(exchanges)
        return zip(exchanges, brackets).map { exchange, bracket in
            var row = ExchangeRowModel(
                exchange,
                base: services.base(
                    ofBackend: exchange.backend, app: exchange.app, workspace: exchange.workspace),
                list: .some(services.catalogue.app(exchange.app)))
            row.bracket = bracket
            return row
        }
    }
}

extension ExchangePage: KeyedPage { static func key(_ item: Exchange) -> Int64 { item.sequence } }
