import Apps
import Core
import FoundationEssentials
import Simulator
import Web

/// Gathers what the sheet of one app, or of two, shows. Plays nothing.
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

    private var shownApps: [App] { [app] + [comparedApp].compactMap(\.self) }

    func build() async throws -> BoardModel {
        let known = shownApps.map {
            services.playbackResults(of: stateCache.cachedRecordings(of: $0))
        }
        let sheets = zip(shownApps, known).compactMap(makeBoard)
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
            }, status: makeStatus(known), rerenderAction: Links.rerenderStoryboard(app.id),
            boardURL: query.link, exportURL: exportURL(nil), downloadURL: exportURL("1"),
            sizes: sizes, appearanceChoices: appearanceChoices,
            tabs: StoryboardTabModel.all(of: app.id, current: .board),
            menus: menus, activeFilters: activeFilters,
            clearURL: query.isFiltered
                ? query.link {
                    $0.screen = nil
                    $0.kind = nil
                } : nil, zoom: zoom, sizeClass: "phone-\(query.size.id)", boards: sheets,
            empty: sheets.isEmpty ? empty : nil, panel: try makePanel(known))
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

    private func makeBoard(_ app: App, _ known: [StateRecording.Key: PlaybackResult]) -> BoardModel
        .Board?
    {
        let shown = app.screens.compactMap { screen in
            let states = app.screenStates(of: screen).filter { query.matches(screen, $0) }
            return states.isEmpty ? nil : (screen: screen, states: states)
        }
        guard !shown.isEmpty else { return nil }
        let names = shown.map(\.screen.id)
        // Ways lead to screens as they are first shown.
        let ways =
            [nil, .initial].contains(query.kind) ? BoardEdge.all(of: app, between: names) : []
        return BoardModel.Board(
            boardID: app.id, boardName: app.name, boardGlyph: GlyphModel(app),
            showsName: comparedApp != nil,
            drawing: BoardDrawing(ways, rows: shown.map(\.states.count), size: query.size),
            columns: shown.map { screen, states in
                let words = StateTitles(app, screen)
                return .init(
                    columnName: screen.id, columnCount: "\(states.count)",
                    tiles: states.map {
                        makeTile($0, words, known[.init(screen: screen.id, state: $0.name)])
                    })
            }, edgeDescriptions: ways.map { $0.description(columns: names) })
    }

    private func makeTile(_ state: ScreenState, _ words: StateTitles, _ played: PlaybackResult?)
        -> BoardModel.Tile
    {
        let app = words.app
        let screen = words.screen.id
        let own = BoardQuery.TileID(app: app.id, screen: screen, state: state.name)
        let title = words.title(of: state)
        let name = "\(screen).\(state.name)"
        return BoardModel.Tile(
            tileID: app.id == self.app.id ? name : "\(app.id).\(name)",
            tileURL: query.link { $0.selected = own }, tileTitle: title,
            stateName: state.name == title ? nil : state.name,
            accessibilityLabel: "\(screen), \(title)",
            isSelected: query.selected == own,
            frameURL: Links.tile(
                app.id, .init(screen: screen, state: state.name), size: query.size.id,
                appearance: app.appearance == .system ? query.appearance.rawValue : nil),
            statusBarStyle: app.resolvedAppearance(for: query.appearance).statusBarClass,
            failure: played?.renderStatus.failure)
    }

    private func makePanel(_ known: [[StateRecording.Key: PlaybackResult]]) throws
        -> StatePanelModel?
    {
        guard let tile = query.selected else { return nil }
        guard let index = shownApps.firstIndex(where: { $0.id == tile.app }) else {
            throw Problem.unknownApp(tile.app)
        }
        let played = known[index][.init(screen: tile.screen, state: tile.state)]
        return try StatePanelBuilder(
            app: shownApps[index], query: query, recording: played?.recording,
            renderStatus: played?.renderStatus ?? .notPlayed, origin: origin
        ).build(tile)
    }

    // MARK: What is said of it

    private func makeStatus(_ known: [[StateRecording.Key: PlaybackResult]]) -> BoardModel.Status {
        let screens = shownApps.reduce(0) { $0 + $1.screens.count }
        let states = shownApps.reduce(0) { sum, app in
            sum + app.screens.reduce(0) { $0 + app.states(of: $1).count }
        }
        let last = known.flatMap(\.values).map(\.recording.playedAt).max()
        return .init(
            countText: Format.count(screens, "screen") + ", " + Format.count(states, "state"),
            renderedAt: last?.iso8601,
            renderedText: last.map { Format.ago($0, services.world.now()) },
            failures: [
                failureSummary(.broken, "broken", known),
                failureSummary(.unreachable, "not reachable", known),
            ].compactMap(\.self))
    }

    /// How many states show no screen, and the way to the first of them.
    private func failureSummary(
        _ kind: RenderStatus.Failure.Kind, _ words: String,
        _ known: [[StateRecording.Key: PlaybackResult]]
    )
        -> BoardModel.FailureSummary?
    {
        let missing = zip(shownApps, known).flatMap { app, known in
            app.screens.flatMap { screen in
                app.states(of: screen).filter { state in
                    known[.init(screen: screen.id, state: state)]?.renderStatus.failure?.kind
                        == kind
                }.map { BoardQuery.TileID(app: app.id, screen: screen.id, state: $0) }
            }
        }
        guard let first = missing.first else { return nil }
        return .init(
            failureKind: kind.rawValue, text: "\(missing.count) \(words)",
            tone: kind == .broken ? .bad : .warn,
            failureURL: query.link {
                $0.screen = nil
                $0.kind = nil
                $0.selected = first
            })
    }

    private var empty: EmptyStateModel {
        .noMatches(
            "No state fits", "\(app.name) has states, but none with these filters.", drawing: .key,
            all: query.link {
                $0.screen = nil
                $0.kind = nil
            })
    }
}
