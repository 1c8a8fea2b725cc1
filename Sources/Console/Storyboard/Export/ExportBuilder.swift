import Apps
import FoundationEssentials
import Templates
import Web

/// Gathers what a storyboard in one file shows.
struct ExportBuilder {
    let app: App
    let scenes: [Scene.Key: Scene]
    let size: String
    let now: Date
    /// A reached state as a document that needs nothing else.
    let document: (Scene.Shot) throws -> String

    func build() throws -> ExportModel {
        let size = DeviceSizes.named(size) ?? DeviceSizes.all[0]
        let lost = scenes.values.count { !$0.isReached }
        let sections = try app.screens.map(section)
        let broken = sections.flatMap(\.tiles).count { $0.lost?.kind == .broken }
        let count =
            Words.count(app.screens.count, "screen") + ", " + Words.count(scenes.count, "state")
        let names = app.screens.map(\.id)
        return ExportModel(
            pageTitle: "\(app.name) storyboard", appName: app.name,
            countText: count + (lost == 0 ? "" : ", \(lost) of them not reachable")
                + (broken == 0 ? "" : ", \(broken) of them broken"), madeAt: now.iso8601,
            madeText: Words.moment(now), width: size.width, height: size.height, sections: sections,
            ways: SheetWay.all(of: app, between: names).map { $0.words(names) })
    }

    private func section(_ screen: Screen) throws -> ExportModel.Section {
        let words = StateWords(app, screen)
        let sentence = StateSentence(words: words)
        let states = app.screenStates(of: screen)
        return ExportModel.Section(
            screenName: screen.id, screenTitle: screen.title,
            note: states.first.flatMap(sentence.note),
            tiles: try states.map { state in try tile(screen, state, words, sentence) },
            selectors: screen.selectors)
    }

    private func tile(
        _ screen: Screen, _ state: ScreenState, _ words: StateWords, _ sentence: StateSentence
    ) throws -> ExportModel.Tile {
        let scene = scenes[.init(screen: screen.id, state: state.name)]
        var drawn: String?
        var showing = Showing.unreachable(scene?.reason ?? "")
        if case .reached(let shot)? = scene?.ending {
            do {
                drawn = try document(shot)
                showing = .reached
            } catch let error as TemplateError {
                // A broken one harms no other.
                showing = .broken("\(error)")
            }
        }
        return ExportModel.Tile(
            tileID: "\(screen.id)/\(state.name)", stateTitle: words.title(of: state),
            stateName: state.name, sentence: sentence.sentence(of: state), document: drawn,
            lost: showing.lost, steps: (scene?.steps ?? []).map { "\($0.what), \($0.detail)" })
    }
}
