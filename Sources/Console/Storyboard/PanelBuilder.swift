import Apps
import Web

/// Gathers what is told of one state of a screen.
struct PanelBuilder {
    let app: App
    let address: SheetAddress
    /// What came of playing it; nil before that.
    let scene: Scene?
    let showing: Showing
    /// `http://127.0.0.1:7070`.
    let origin: String

    /// Throws a `Problem` if the app has no such state.
    func build(_ tile: SheetAddress.Tile) throws -> PanelModel {
        guard let screen = app.screen(tile.screen),
            let state = app.screenStates(of: screen).first(where: { $0.name == tile.state })
        else { throw Problem.unknownState("\(tile.screen)/\(tile.state)") }
        let words = StateWords(app, screen)
        let sentence = StateSentence(words: words)
        let page = Links.scene(app.id, .init(screen: screen.id, state: state.name))
        let ways = state.cause == .initial ? self.ways(from: screen.id) : []
        return PanelModel(
            panelTitle: "\(screen.id), \(words.title(of: state))", panelState: state.name,
            chip: ChipModel(showing), sentence: sentence.sentence(of: state),
            note: sentence.note(of: state), why: showing.reason,
            whyTone: showing.isBroken ? "bad" : "warn", openURL: page, address: origin + page,
            closeURL: address.link { $0.selected = nil },
            stepsHead: scene?.reason == nil ? "How it is reached" : "What was tried last",
            anySteps: scene?.steps.isEmpty == false,
            steps: (scene?.steps ?? []).enumerated().map {
                .init(number: $0.offset + 1, what: $0.element.what, detail: $0.element.detail)
            },
            noSteps: scene == nil
                ? "It is played when its tile comes into view." : "Nothing has to be done for it.",
            selectors: screen.selectors, ways: ways, anyWays: !ways.isEmpty)
    }

    private func ways(from screen: String) -> [PanelModel.Way] {
        StateWay.all(of: app).filter { $0.from == screen }.map { way in
            .init(
                wayLabel: way.label.isEmpty ? "by itself" : way.label, wayTo: way.to,
                wayURL: address.link {
                    $0.selected = .init(app: app.id, screen: way.to, state: "default")
                })
        }
    }
}
