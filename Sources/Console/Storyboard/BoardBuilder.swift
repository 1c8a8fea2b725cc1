import Apps
import Core
import FoundationEssentials
import Simulator
import Storyboards
import Web

/// Builds the model of the board page for one app, or for two side by side. Plays no state.
struct BoardBuilder {
    let services: Services
    let frames: FrameBuilder
    let workspace: String
    let csrf: String
    let query: BoardQuery
    let app: App
    let comparedApp: App?
    let stateCache: StateCache
    /// `http://127.0.0.1:7070`.
    let origin: String

    var shownApps: [App] { [app] + [comparedApp].compactMap(\.self) }

    func build() async throws -> BoardModel {
        let results = shownApps.map {
            services.playbackResults(of: stateCache.cachedRecordings(of: $0))
        }
        let boards = zip(shownApps, results).compactMap(makeBoard)
        return BoardModel(
            frame: try await frames.frame(
                "\(app.name) storyboard", navItem: "storyboard", workspace: workspace,
                csrfToken: csrf,
                partURL: query.partURL), csrf: csrf, partURL: query.partURL, appName: app.name,
            appSwitch: AppSwitchModel("storyboard", "\(app.name) storyboard", on: app, services) {
                other in
                query.link {
                    $0.app = other
                    $0.comparedAppID = nil
                    $0.screen = nil
                    $0.selected = nil
                }
            }, status: makeStatus(results), rerenderAction: Links.rerenderStoryboard(app.id),
            boardURL: query.link, exportURL: exportURL(nil), downloadURL: exportURL("1"),
            sizes: sizes, appearanceChoices: appearanceChoices,
            tabs: StoryboardTabModel.all(of: app.id, current: .board),
            menus: menus, activeFilters: activeFilters,
            clearURL: query.isFiltered
                ? query.link {
                    $0.screen = nil
                    $0.kind = nil
                } : nil, zoom: zoom, sizeClass: "phone-\(query.size.id)", boards: boards,
            empty: boards.isEmpty ? empty : nil, panel: try makePanel(results))
    }

    private func exportURL(_ download: String?) -> String {
        Links.url(
            Links.exportStoryboard(app.id),
            [
                ("size", query.size.id),
                ("appearance", app.appearance == .system ? query.appearance.rawValue : nil),
                ("download", download),
            ])
    }

    // MARK: Tiles

    private func makeBoard(_ app: App, _ results: [StateID: PlaybackResult])
        -> BoardModel
        .Board?
    {
        let columns = app.screens.map { app.storyboardStates(of: $0).filter(query.matches) }
            .filter { !$0.isEmpty }
        guard !columns.isEmpty else { return nil }
        let names = columns.map { $0[0].screen.id }
        // An edge ends at a screen's default state, so other kinds of state get none.
        let edges =
            [nil, .initial].contains(query.kind) ? BoardEdge.all(of: app, between: names) : []
        return BoardModel.Board(
            boardID: app.id, boardName: app.name, boardGlyph: GlyphModel(app),
            showsName: comparedApp != nil,
            drawing: BoardDrawing(edges, rows: columns.map(\.count), size: query.size),
            columns: zip(names, columns).map { name, states in
                .init(
                    columnName: name, columnCount: "\(states.count)",
                    tiles: states.map { makeTile($0, results[$0.id]) })
            }, edgeDescriptions: edges.map { $0.description(columns: names) })
    }

    private func makeTile(_ state: StoryboardState, _ result: PlaybackResult?) -> BoardModel.Tile {
        let name = "\(state.screen.id).\(state.name)"
        let title = state.title
        return BoardModel.Tile(
            tileID: state.app.id == app.id ? name : "\(state.app.id).\(name)",
            tileURL: query.link { $0.selected = state.id }, tileTitle: title,
            stateName: state.cause == .initial ? nil : state.name,
            accessibilityLabel: "\(state.screen.id), \(title)",
            isSelected: query.selected == state.id,
            frameURL: Links.tile(
                state.id, size: query.size.id,
                appearance: state.app.appearance == .system ? query.appearance.rawValue : nil),
            statusBarStyle: state.app.resolvedAppearance(for: query.appearance).statusBarClass,
            failure: result?.renderStatus.failure)
    }

    private func makePanel(_ results: [[StateID: PlaybackResult]]) throws
        -> StatePanelModel?
    {
        guard let id = query.selected else { return nil }
        guard let index = shownApps.firstIndex(where: { $0.id == id.app }) else {
            throw Problem.unknownApp(id.app)
        }
        guard let state = shownApps[index].storyboardState(id.screen, id.state) else {
            throw Problem.unknownState("\(id.screen)/\(id.state)")
        }
        let result = results[index][id]
        return StatePanelBuilder(
            state: state, query: query, recording: result?.recording,
            renderStatus: result?.renderStatus ?? .notPlayed, origin: origin
        ).build()
    }

    // MARK: Status

    private func makeStatus(_ results: [[StateID: PlaybackResult]]) -> BoardModel.Status {
        let screens = shownApps.reduce(0) { $0 + $1.screens.count }
        let states = shownApps.reduce(0) { $0 + $1.storyboardStates.count }
        let last = results.flatMap(\.values).map(\.recording.playedAt).max()
        return .init(
            countText: Format.count(screens, "screen") + ", " + Format.count(states, "state"),
            renderedAt: last?.iso8601,
            renderedText: last.map { Format.ago($0, services.world.now()) },
            failures: [
                failureSummary(.broken, "broken", results),
                failureSummary(.unreachable, "unreachable", results),
            ].compactMap(\.self))
    }

    /// The number of tiles with this kind of failure, with a link to the first; nil if there are
    /// none.
    private func failureSummary(
        _ kind: RenderStatus.Failure.Kind, _ label: String,
        _ results: [[StateID: PlaybackResult]]
    )
        -> BoardModel.FailureSummary?
    {
        let failedTiles = zip(shownApps, results).flatMap { app, results in
            app.storyboardStates.map(\.id).filter {
                results[$0]?.renderStatus.failure?.kind == kind
            }
        }
        guard let first = failedTiles.first else { return nil }
        return .init(
            failureKind: kind.rawValue, text: "\(failedTiles.count) \(label)",
            tone: kind == .broken ? .bad : .warn,
            failureURL: query.link {
                $0.screen = nil
                $0.kind = nil
                $0.selected = first
            })
    }

    private var empty: EmptyStateModel {
        .noMatches(
            "No matching states", "No state of \(app.name) matches these filters.", drawing: .key,
            all: query.link {
                $0.screen = nil
                $0.kind = nil
            })
    }
}

/// A played state with its current render status.
struct PlaybackResult: Sendable {
    var recording: StateRecording
    var renderStatus: RenderStatus
}
