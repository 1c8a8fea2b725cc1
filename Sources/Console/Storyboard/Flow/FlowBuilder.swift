import Apps
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// Gathers an app's flow map.
struct FlowBuilder {
    let services: Services
    let frames: FrameBuilder
    let app: App
    let workspace: String
    let csrf: String
    let scope: FlowScope

    private func link(_ seen: String?) -> String {
        Links.query(Links.flow(app.id), [("seen", seen)])
    }

    func build() async throws -> FlowModel {
        let map = try await FlowMap(services, app, scope.seen)
        let partURL = Links.part(Links.flow(app.id), [("seen", scope.asked)])
        let isEmpty = scope.isRun && scope.run == nil
        return FlowModel(
            frame: try await frames.frame(
                "\(app.name), flow", place: "storyboard", workspace: workspace, csrf: csrf,
                partURL: partURL), partURL: partURL, ways: WayModel.all(of: app.id, current: .flow),
            appSwitch: AppSwitchModel("flow", "\(app.name), flow", on: app, services) {
                Links.query(Links.flow($0), [("seen", scope.asked)])
            }, factText: map.sum, scopes: scopes, anyRuns: scope.runs.count > 1,
            runs: scope.runs.count > 1
                ? scope.runs.map { run in
                    .init(
                        scopeID: "\(run.number)", scopeName: "\(run.title), \(times(run))",
                        href: link("\(run.number)"), current: run.number == scope.run?.number)
                } : [], scopeText: text, isLive: !scope.isRun, empty: isEmpty ? empty : nil,
            map: isEmpty ? nil : try await drawn(map))
    }

    // MARK: Whose

    private var scopes: [FlowModel.Scope] {
        let choices = [
            (nil, "all", "Everything"), (FlowScope.hand, "hand", "By hand"),
            (FlowScope.last, "last", "Last test run"),
        ]
        return choices.map { seen, id, name in
            let isLast =
                seen == FlowScope.last && scope.isRun
                && scope.run?.number == scope.runs.first?.number
            return .init(
                scopeID: id, scopeName: name, href: link(seen),
                current: seen == scope.asked || isLast)
        }
    }

    private var text: String {
        if let run = scope.run {
            return "\(run.title): \(Words.count(run.workspaces, "workspace")), \(times(run))."
        }
        return switch scope.seen {
        case .hand: "What was done by hand since \(Workspace.main) was last emptied."
        case .run: "No test run is remembered."
        case .anybody:
            switch scope.runs.count {
            case 0: "What was done by hand; there was no test run yet."
            case 1: "What was done by hand and in one test run."
            default: "What was done by hand and in the last \(scope.runs.count) test runs."
            }
        }
    }

    private func times(_ run: TestRun) -> String {
        let from = Words.moment(run.startedAt)
        let to = Words.moment(run.lastAt)
        return from == to ? from : "\(from) to \(to)"
    }

    private var empty: EmptyModel {
        .nothingYet(
            "No test run yet",
            "A test run is the workspaces that were leased for it: under one "
                + "name while one of them is open, or one after the other "
                + "without a minute's pause; newRun begins another. "
                + "What they visited then shows here, and what they did not.", drawing: .traffic,
            call: #"POST /api/workspaces {"run": "nightly"}"#, studioOf: nil)
    }

    // MARK: The map

    private func drawn(_ map: FlowMap) async throws -> FlowModel.Map {
        let facts = map.facts(areMissed: scope.isRun)
        let ever = scope.isRun ? try await FlowMap(services, app, .anybody) : map
        let counts = Dictionary(
            ever.ways.map { ([$0.from, $0.to], $0.count) }, uniquingKeysWith: { $1 })
        let wide = StateLayout.wide(app)
        func draw(_ layout: StateLayout, _ measure: StateDrawing.Measure) -> StateModel.Drawing {
            StateDrawing(layout: map.layout(layout), facts: facts, measure: measure).draw()
        }
        return FlowModel.Map(
            wide: draw(wide, .page(columns: wide.columns)), compact: draw(.compact(app), .compact),
            areMissed: scope.isRun, unseen: unseen(map),
            rows: map.ways.map { way in
                FlowModel.Row(
                    rowID: "\(way.from).\(way.to)", from: way.from, fromURL: sheet(way.from),
                    to: way.to, toURL: sheet(way.to), leads: way.labels.joined(separator: ", "),
                    untold: way.isTold ? nil : untold(way), count: Words.count(way.count),
                    isSeen: way.count > 0, ever: Words.count(counts[[way.from, way.to]] ?? 0))
            }, anyEver: scope.isRun)
    }

    /// How one comes there without the manifest's doing.
    private func untold(_ way: FlowMap.Way) -> String {
        app.screen(way.to)?.kind == .launch
            ? "the app was started anew" : "its address, or a state put back"
    }

    private func unseen(_ map: FlowMap) -> FlowModel.Unseen? {
        let screens = map.screens.filter { $0.count == 0 }.map(\.id)
        let ways = map.told.count - map.takenWays
        guard !screens.isEmpty || ways > 0 else { return nil }
        let parts = [
            screens.isEmpty ? nil : Words.count(screens.count, "screen"),
            ways == 0 ? nil : Words.count(ways, "way"),
        ].compactMap(\.self)
        return FlowModel.Unseen(
            unseenTitle: scope.run.map { "Not visited by \($0.title)" } ?? "Not seen yet",
            unseenText: parts.joined(separator: " and "), anyScreens: !screens.isEmpty,
            unseenScreens: screens.map { .init(name: $0, href: sheet($0)) })
    }

    private func sheet(_ screen: String) -> String {
        SheetAddress(app: app.id).link { $0.screen = screen }
    }
}

extension FlowMap {
    init(_ services: Services, _ app: App, _ seen: SeenBy) async throws {
        self.init(app, try await services.simulator.transitions(of: app.id, seen))
    }

    /// `9 of 12 screens, 15 of 31 ways`.
    var sum: String {
        "\(shownScreens) of \(Words.count(screens.count, "screen")), "
            + "\(takenWays) of \(Words.count(told.count, "way"))"
    }
}
