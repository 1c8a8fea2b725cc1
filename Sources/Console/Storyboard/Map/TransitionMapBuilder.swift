import Apps
import Diagrams
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Web

/// Builds the model of an app's transition map.
struct TransitionMapBuilder {
    let page: StoryboardPage
    let scope: TransitionMapScope

    private var app: App { page.app }

    private func link(_ requested: String?) -> String {
        Links.url(Links.transitionMap(app.id), [("run", requested)])
    }

    func build() async throws -> Page<TransitionMapModel> {
        let map = try await transitionMap(scope.filter)
        let isEmpty = scope.isTestRun && scope.run == nil
        return page.makePage(
            "\(app.name), map",
            url: Links.url(Links.transitionMap(app.id), [("run", scope.requested)]),
            TransitionMapModel(
                tabs: StoryboardTabModel.all(of: app.id, current: .map),
                appSwitch: page.appSwitch("map", "\(app.name), map") {
                    Links.url(Links.transitionMap($0), [("run", scope.requested)])
                }, summaryText: map.summary, scopes: scopes, anyRuns: scope.runs.count > 1,
                runs: scope.runs.count > 1
                    ? scope.runs.map { run in
                        .init(
                            id: "\(run.number)", name: "\(run.title), \(timeRange(of: run))",
                            href: link("\(run.number)"), current: run.number == scope.run?.number)
                    } : [], scopeText: scopeText, isLive: !scope.isTestRun,
                empty: isEmpty ? empty : nil, map: isEmpty ? nil : try await makeMap(map)))
    }

    private func transitionMap(_ scope: TransitionScope) async throws -> TransitionMap {
        TransitionMap(app, try await page.services.simulator.transitions(of: app.id, scope))
    }

    // MARK: Scope

    private var scopes: [ChoiceLinkModel] {
        let choices = [
            (nil, "all", "All"), (TransitionMapScope.manual, "manual", "Manual"),
            (TransitionMapScope.last, "last", "Last test run"),
        ]
        return choices.map { requested, id, name in
            let isLast =
                requested == TransitionMapScope.last && scope.isTestRun
                && scope.run?.number == scope.runs.first?.number
            return .init(
                id: id, name: name, href: link(requested),
                current: requested == scope.requested || isLast)
        }
    }

    private var scopeText: String {
        if let run = scope.run {
            return
                "\(run.title): \(Format.count(run.workspaceCount, "workspace")), \(timeRange(of: run))."
        }
        return switch scope.filter {
        case .manual: "Manual use since \(Workspace.mainID) was last reset."
        case .run: "No test run recorded."
        case .all:
            switch scope.runs.count {
            case 0: "Manual use; no test run yet."
            case 1: "Manual use and one test run."
            default: "Manual use and the last \(scope.runs.count) test runs."
            }
        }
    }

    private func timeRange(of run: TestRun) -> String {
        let from = Format.dateTime(run.startedAt)
        let to = Format.dateTime(run.lastActivityAt)
        return from == to ? from : "\(from) to \(to)"
    }

    private var empty: EmptyStateModel {
        .noItems(
            "No test run yet",
            "A test run groups workspaces leased under one name: while one of them "
                + "is open, or less than a minute apart; newRun starts another. "
                + "Its covered and missed transitions appear here.", drawing: .traffic,
            call: #"POST /api/workspaces {"run": "nightly"}"#, studioOf: nil)
    }

    // MARK: Map

    private func makeMap(_ map: TransitionMap) async throws -> TransitionMapModel.Map {
        let overlay = ScreenGraphOverlay(
            app: app, currentScreen: nil,
            visitCounts: Dictionary(
                uniqueKeysWithValues: map.screens.filter { $0.count > 0 }.map { ($0.id, $0.count) }),
            transitions: map.edges.filter { $0.count > 0 }.map {
                Transition(from: $0.from, to: $0.to, count: $0.count)
            }, lastTransition: nil, marksMissed: scope.isTestRun, showsCounts: true)
        let totalMap = scope.isTestRun ? try await transitionMap(.all) : map
        let counts = Dictionary(
            totalMap.edges.map { ([$0.from, $0.to], $0.count) }, uniquingKeysWith: { $1 })
        let wide = ScreenGraphLayout.makeWide(app)
        func draw(_ layout: ScreenGraphLayout, _ dimensions: GraphDrawing.Dimensions)
            -> ScreenGraphModel.Drawing
        {
            ScreenGraphDrawing(
                layout: map.addingTraversedEdges(to: layout), overlay: overlay,
                dimensions: dimensions
            ).draw()
        }
        return TransitionMapModel.Map(
            wide: draw(wide, .page(columns: wide.layout.columnCount)),
            compact: draw(.makeCompact(app), .compact),
            marksMissed: scope.isTestRun, uncovered: uncovered(map),
            rows: map.edges.map { edge in
                TransitionMapModel.Row(
                    rowID: "\(edge.from).\(edge.to)", from: edge.from,
                    fromURL: boardURL(screen: edge.from), to: edge.to,
                    toURL: boardURL(screen: edge.to), trigger: edge.labels.joined(separator: ", "),
                    undeclaredText: edge.isDeclared ? nil : undeclaredText(of: edge),
                    count: Format.count(edge.count), isCovered: edge.count > 0,
                    totalCount: Format.count(counts[[edge.from, edge.to]] ?? 0))
            }, showsTotal: scope.isTestRun)
    }

    /// How an undeclared transition comes about.
    private func undeclaredText(of edge: TransitionMap.Edge) -> String {
        app.screen(edge.to)?.kind == .launch ? "App restarted" : "URL or restored state"
    }

    private func uncovered(_ map: TransitionMap) -> TransitionMapModel.Uncovered? {
        let screens = map.screens.filter { $0.count == 0 }.map(\.id)
        let missedEdgeCount = map.declaredEdges.count - map.traversedEdgeCount
        guard !screens.isEmpty || missedEdgeCount > 0 else { return nil }
        let parts = [
            screens.isEmpty ? nil : Format.count(screens.count, "screen"),
            missedEdgeCount == 0 ? nil : Format.count(missedEdgeCount, "transition"),
        ].compactMap(\.self)
        return TransitionMapModel.Uncovered(
            uncoveredTitle: scope.run.map { "Not covered by \($0.title)" } ?? "Not covered",
            uncoveredText: parts.joined(separator: " and "), anyScreens: !screens.isEmpty,
            uncoveredScreens: screens.map { .init(name: $0, href: boardURL(screen: $0)) })
    }

    private func boardURL(screen: String) -> String {
        BoardQuery(app: app.id).link { $0.screen = screen }
    }
}

extension TransitionMap {
    /// Adds the traversed edges that `layout` omits. Edges of failures are drawn only if traversed,
    /// as they would clutter the map.
    fileprivate func addingTraversedEdges(to layout: ScreenGraphLayout) -> ScreenGraphLayout {
        var drawnEdges = layout.edges
        for edge in edges where edge.count > 0 {
            guard !drawnEdges.contains(where: { $0.from == edge.from && $0.to == edge.to }) else {
                continue
            }
            drawnEdges.append(
                ScreenGraphEdge(
                    from: edge.from, to: edge.to, label: edge.labels.first ?? "",
                    isNavigationOnly: false))
        }
        return ScreenGraphLayout(layout: layout.layout, edges: drawnEdges)
    }

    /// `9 of 12 screens, 15 of 31 transitions`.
    var summary: String {
        "\(visitedScreenCount) of \(Format.count(screens.count, "screen")), "
            + "\(traversedEdgeCount) of \(Format.count(declaredEdges.count, "transition"))"
    }
}

/// An app's transition map (`storyboard/map`).
struct TransitionMapModel: Encodable, Sendable {
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    /// `9 of 12 screens, 15 of 31 transitions`.
    var summaryText: String
    /// All, manual, the last test run.
    var scopes: [ChoiceLinkModel]
    var anyRuns: Bool
    /// The recorded test runs; empty for fewer than two.
    var runs: [ChoiceLinkModel]
    /// `Run 3: 4 workspaces, 12:03:10 to 12:04:02`.
    var scopeText: String
    /// Whether events update the page. A test run uses other workspaces, whose events this page
    /// does not receive.
    var isLive: Bool
    /// Set if a test run was requested and none is recorded; `map` is nil then.
    var empty: EmptyStateModel?
    var map: Map?

    struct Map: Encodable, Sendable {
        var wide: ScreenGraphModel.Drawing
        var compact: ScreenGraphModel.Drawing
        /// Whether uncovered screens and edges are marked as missed.
        var marksMissed: Bool
        /// Nil if everything is covered.
        var uncovered: Uncovered?
        var rows: [Row]
        /// Whether the counts of all sources are shown next to those of the run.
        var showsTotal: Bool
    }

    struct Uncovered: Encodable, Sendable {
        /// `Not covered by Run 3`.
        var uncoveredTitle: String
        /// `2 screens and 9 transitions`.
        var uncoveredText: String
        var anyScreens: Bool
        var uncoveredScreens: [Link]
    }

    struct Link: Encodable, Sendable {
        var name: String
        var href: String
    }

    struct Row: Encodable, Sendable {
        var rowID: String
        var from: String
        var fromURL: String
        var to: String
        var toURL: String
        /// `Login, unverified`.
        var trigger: String
        /// Nil if the manifest declares the transition.
        var undeclaredText: String?
        /// `12`; `0` for never.
        var count: String
        var isCovered: Bool
        /// The count of all sources.
        var totalCount: String
    }
}
