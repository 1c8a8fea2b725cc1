import Apps
import Diagrams
import FoundationEssentials
import Simulator
import Storyboards
import Templates
import Web

/// Builds the model of an app's transition map.
struct TransitionMapBuilder {
    let page: StoryboardPage
    let scope: TransitionMapScope

    private var app: App { page.app }

    func build() async throws -> Page {
        let map = try await transitionMap(scope.filter)
        let isEmpty = scope.isTestRun && scope.run == nil
        let isLastRun = scope.isTestRun && scope.run?.number == scope.runs.first?.number
        return Page(
            .map, of: app, page.services, url: link(scope.requested),
            otherURL: { link(scope.requested, app: $0) },
            [
                "summaryText": map.summary,
                "scopeMenu": ChoiceMenuModel(
                    "scope", "Source", of: [("manual", "Manual"), ("last", "Last test run")],
                    chosen: isLastRun ? "last" : scope.requested, link: { link($0) }),
                "runMenu": scope.runs.count < 2
                    ? nil
                    : ChoiceMenuModel(
                        "run", "All runs", none: nil,
                        of: scope.runs.map {
                            ("\($0.number)", "\($0.title), \(timeRange(of: $0))")
                        },
                        chosen: scope.run.map { "\($0.number)" }, link: { link($0) }),
                "scopeText": scopeText,
                // The map of a test run marks what the run missed, shows the counts of all sources
                // too, and is not live, because the run's workspaces send this page no events.
                "isTestRun": scope.isTestRun, "empty": isEmpty ? empty : nil,
                "map": isEmpty ? nil : try await makeMap(map),
            ])
    }

    private func link(_ requested: String?, app: String? = nil) -> String {
        Links.url(Links.transitionMap(app ?? self.app.id), [("run", requested)])
    }

    private func transitionMap(_ scope: TransitionScope) async throws -> TransitionMap {
        TransitionMap(app, try await page.services.simulator.transitions(of: app.id, scope))
    }

    // MARK: Scope

    private var scopeText: String {
        if let run = scope.run {
            return "\(run.title): \(Format.count(run.workspaceCount, "workspace")), "
                + "\(timeRange(of: run))."
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

    private var empty: TemplateModel {
        .noItems(
            "No test run yet",
            "A test run groups workspaces leased under one name: while one of them "
                + "is open, or less than a minute apart; newRun starts another. "
                + "Its covered and missed transitions appear here.", drawing: .traffic,
            call: #"POST /api/workspaces {"run": "nightly"}"#, studioOf: nil)
    }

    // MARK: Map

    private func makeMap(_ map: TransitionMap) async throws -> TemplateModel {
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
        let added = map.traversedEdges(missingIn: page.services.screenGraph(of: app).edges)
        let graph = page.services.screenGraph(of: app, adding: added)
        return [
            "wide": ScreenGraphDrawing(layout: graph.wide, overlay: overlay).draw(),
            "compact": ScreenGraphDrawing(layout: graph.compact, overlay: overlay).draw(),
            "uncovered": uncovered(map),
            "rows": map.edges.map { edge -> TemplateModel in
                [
                    "edge": edge, "fromURL": boardURL(screen: edge.from),
                    "toURL": boardURL(screen: edge.to),
                    "trigger": edge.labels.joined(separator: ", "),
                    "undeclaredText": edge.isDeclared
                        ? nil
                        : app.screen(edge.to)?.kind == .launch
                            ? "App restarted" : "URL or restored state",
                    "coveredCount": edge.count == 0 ? nil : Format.count(edge.count),
                    "totalCount": Format.count(counts[[edge.from, edge.to]] ?? 0),
                ]
            },
        ]
    }

    /// Nil if everything is covered.
    private func uncovered(_ map: TransitionMap) -> TemplateModel? {
        let screens = map.screens.filter { $0.count == 0 }.map(\.id)
        let missedEdgeCount = map.declaredEdges.count - map.traversedEdgeCount
        guard !screens.isEmpty || missedEdgeCount > 0 else { return nil }
        let parts = [
            screens.isEmpty ? nil : Format.count(screens.count, "screen"),
            missedEdgeCount == 0 ? nil : Format.count(missedEdgeCount, "transition"),
        ].compactMap(\.self)
        return [
            "uncoveredTitle": scope.run.map { "Not covered by \($0.title)" } ?? "Not covered",
            "uncoveredText": parts.joined(separator: " and "),
            "uncoveredScreens": screens.map {
                TextLinkModel(name: $0, href: boardURL(screen: $0))
            },
        ]
    }

    private func boardURL(screen: String) -> String {
        Links.url(Links.storyboard(app.id), [("screen", screen)])
    }
}

extension TransitionMap {
    /// The traversed edges that are not among `graphEdges`. Edges of failures are drawn only if
    /// traversed, as they would clutter the map.
    fileprivate func traversedEdges(missingIn graphEdges: [ScreenGraphEdge]) -> [ScreenGraphEdge] {
        edges.filter { edge in
            edge.count > 0 && !graphEdges.contains { $0.from == edge.from && $0.to == edge.to }
        }.map {
            ScreenGraphEdge(
                from: $0.from, to: $0.to, label: $0.labels.first ?? "", isNavigationOnly: false)
        }
    }

    /// `9 of 12 screens, 15 of 31 transitions`.
    var summary: String {
        "\(visitedScreenCount) of \(Format.count(screens.count, "screen")), "
            + "\(traversedEdgeCount) of \(Format.count(declaredEdges.count, "transition"))"
    }
}

/// The source of the transitions a URL requests: `run=manual`, `run=last`, `run=3`, or nothing for
/// all.
struct TransitionMapScope: Sendable {
    /// The value in the URL; nil for all sources.
    let requested: String?
    let filter: TransitionScope
    /// The requested test run, if any.
    let run: TestRun?
    /// Newest first.
    let runs: [TestRun]

    /// Throws a `Problem` if the test run is not recorded.
    init(_ requested: String?, _ services: Services) async throws {
        let runs = try await services.simulator.testRuns()
        self.runs = runs
        self.requested = requested?.nonEmpty
        switch self.requested {
        case nil: (filter, run) = (.all, nil)
        case "manual": (filter, run) = (.manual, nil)
        // Without a test run, -1 matches no transitions.
        case "last": (filter, run) = (.run(runs.first?.number ?? -1), runs.first)
        case let number?:
            guard let run = runs.first(where: { "\($0.number)" == number }) else {
                throw Problem.unknown(
                    "test run",
                    "run must be manual, last or the number of one of the newest "
                        + "\(TestRun.maxCount) test runs.")
            }
            (filter, self.run) = (.run(run.number), run)
        }
    }

    /// Whether coverage of a test run is requested.
    var isTestRun: Bool { if case .run = filter { true } else { false } }
}

extension TestRun {
    /// `Run 3`, or the run's name.
    var title: String { name.isEmpty ? "Run \(number)" : name }
}
