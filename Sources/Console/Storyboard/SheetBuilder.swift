import Apps
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// Gathers what the sheet of one app, or of two, shows. Plays nothing.
struct SheetBuilder {
    let services: Services
    let frames: FrameBuilder
    let workspace: String
    let csrf: String
    let address: SheetAddress
    let app: App
    let beside: App?
    let stage: Stage
    /// `http://127.0.0.1:7070`.
    let origin: String

    private var shown: [App] { [app] + [beside].compactMap(\.self) }

    func build() async throws -> SheetModel {
        let known = shown.map { services.played(stage.known($0)) }
        let sheets = zip(shown, known).compactMap(sheet)
        return SheetModel(
            frame: try await frames.frame(
                "\(app.name) storyboard", place: "storyboard", workspace: workspace, csrf: csrf,
                partURL: address.partURL), csrf: csrf, partURL: address.partURL, appName: app.name,
            appSwitch: AppSwitchModel("storyboard", "\(app.name) storyboard", on: app, services) {
                other in
                address.link {
                    $0.app = other
                    $0.beside = nil
                    $0.screen = nil
                    $0.selected = nil
                }
            }, status: status(known), runAction: Links.runStoryboard(app.id),
            sheetURL: address.link, exportURL: exportURL(nil), downloadURL: exportURL("1"),
            sizes: sizes, looks: looks, ways: WayModel.all(of: app.id, current: .sheet),
            menus: menus, narrowed: narrowed,
            clearURL: address.isNarrowed
                ? address.link {
                    $0.screen = nil
                    $0.kind = nil
                } : nil, zoom: zoom, sizeClass: "phone-\(address.size.id)", sheets: sheets,
            empty: sheets.isEmpty ? empty : nil, panel: try panel(known))
    }

    private func exportURL(_ download: String?) -> String {
        Links.query(
            Links.exportStoryboard(app.id),
            [
                ("size", address.size.id),
                ("appearance", app.appearance == .system ? address.appearance.rawValue : nil),
                ("download", download),
            ])
    }

    // MARK: Tiles

    private func sheet(_ app: App, _ known: [Scene.Key: Played]) -> SheetModel.Sheet? {
        let shown = app.screens.compactMap { screen in
            let states = app.screenStates(of: screen).filter { address.fits(screen, $0) }
            return states.isEmpty ? nil : (screen: screen, states: states)
        }
        guard !shown.isEmpty else { return nil }
        let names = shown.map(\.screen.id)
        // Ways lead to screens as they are first shown.
        let ways =
            [nil, .initial].contains(address.kind) ? SheetWay.all(of: app, between: names) : []
        return SheetModel.Sheet(
            sheetID: app.id, sheetName: app.name, sheetGlyph: GlyphModel(app),
            isNamed: beside != nil,
            drawing: SheetDrawing(ways, rows: shown.map(\.states.count), size: address.size),
            columns: shown.map { screen, states in
                let words = StateWords(app, screen)
                return .init(
                    columnName: screen.id, columnCount: "\(states.count)",
                    tiles: states.map {
                        tile($0, words, known[.init(screen: screen.id, state: $0.name)])
                    })
            }, spokenWays: ways.map { $0.words(names) })
    }

    private func tile(_ state: ScreenState, _ words: StateWords, _ played: Played?)
        -> SheetModel.Tile
    {
        let app = words.app
        let screen = words.screen.id
        let own = SheetAddress.Tile(app: app.id, screen: screen, state: state.name)
        let title = words.title(of: state)
        let name = "\(screen).\(state.name)"
        return SheetModel.Tile(
            tileID: app.id == self.app.id ? name : "\(app.id).\(name)",
            tileURL: address.link { $0.selected = own }, tileTitle: title,
            stateName: state.name == title ? nil : state.name, spoken: "\(screen), \(title)",
            isSelected: address.selected == own,
            frameURL: Links.tile(
                app.id, .init(screen: screen, state: state.name), size: address.size.id,
                appearance: app.appearance == .system ? address.appearance.rawValue : nil),
            ink: app.shown(as: address.appearance).statusBar, lost: played?.showing.lost)
    }

    private func panel(_ known: [[Scene.Key: Played]]) throws -> PanelModel? {
        guard let tile = address.selected else { return nil }
        guard let index = shown.firstIndex(where: { $0.id == tile.app }) else {
            throw Problem.unknownApp(tile.app)
        }
        let played = known[index][.init(screen: tile.screen, state: tile.state)]
        return try PanelBuilder(
            app: shown[index], address: address, scene: played?.scene,
            showing: played?.showing ?? .unknown, origin: origin
        ).build(tile)
    }

    // MARK: What is said of it

    private func status(_ known: [[Scene.Key: Played]]) -> SheetModel.Status {
        let screens = shown.reduce(0) { $0 + $1.screens.count }
        let states = shown.reduce(0) { sum, app in
            sum + app.screens.reduce(0) { $0 + app.states(of: $1).count }
        }
        let last = known.flatMap(\.values).map(\.scene.playedAt).max()
        return .init(
            countText: Words.count(screens, "screen") + ", " + Words.count(states, "state"),
            ranAt: last?.iso8601, ranText: last.map { Words.ago($0, services.world.now()) },
            lost: [
                missing(.broken, "broken", known), missing(.unreachable, "not reachable", known),
            ].compactMap(\.self))
    }

    /// How many states show no screen, and the way to the first of them.
    private func missing(_ kind: Showing.Lost.Kind, _ words: String, _ known: [[Scene.Key: Played]])
        -> SheetModel.Missing?
    {
        let missing = zip(shown, known).flatMap { app, known in
            app.screens.flatMap { screen in
                app.states(of: screen).filter { state in
                    known[.init(screen: screen.id, state: state)]?.showing.lost?.kind == kind
                }.map { SheetAddress.Tile(app: app.id, screen: screen.id, state: $0) }
            }
        }
        guard let first = missing.first else { return nil }
        return .init(
            lostKind: kind.rawValue, text: "\(missing.count) \(words)",
            tone: kind == .broken ? .bad : .warn,
            lostURL: address.link {
                $0.screen = nil
                $0.kind = nil
                $0.selected = first
            })
    }

    private var empty: EmptyModel {
        .nothingFits(
            "No state fits", "\(app.name) has states, but none with these filters.", drawing: .key,
            all: address.link {
                $0.screen = nil
                $0.kind = nil
            })
    }
}
