import Apps
import FoundationEssentials
import Templates
import Web

/// Gathers what a storyboard in one file shows.
struct ExportBuilder {
    let app: App
    let recordings: [StateRecording.Key: StateRecording]
    let size: String
    let now: Date
    /// A reached state as a document that needs nothing else.
    let renderDocument: (StateRecording.ScreenCapture) throws -> String

    func build() throws -> ExportModel {
        let size = DeviceSizes.size(size) ?? DeviceSizes.all[0]
        let lost = recordings.values.count { !$0.isReached }
        let sections = try app.screens.map(makeSection)
        let broken = sections.flatMap(\.tiles).count { $0.failure?.kind == .broken }
        let count =
            Format.count(app.screens.count, "screen") + ", "
            + Format.count(recordings.count, "state")
        let names = app.screens.map(\.id)
        return ExportModel(
            pageTitle: "\(app.name) storyboard", appName: app.name,
            countText: count + (lost == 0 ? "" : ", \(lost) of them not reachable")
                + (broken == 0 ? "" : ", \(broken) of them broken"), createdAt: now.iso8601,
            createdText: Format.dateTime(now), width: size.width, height: size.height,
            sections: sections,
            edgeDescriptions: BoardEdge.all(of: app, between: names).map {
                $0.description(columns: names)
            })
    }

    private func makeSection(_ screen: Screen) throws -> ExportModel.Section {
        let words = StateTitles(app, screen)
        let sentence = StateDescriptions(titles: words)
        let states = app.screenStates(of: screen)
        return ExportModel.Section(
            screenName: screen.id, screenTitle: screen.title,
            note: states.first.flatMap(sentence.note),
            tiles: try states.map { state in try makeTile(screen, state, words, sentence) },
            selectors: screen.selectors)
    }

    private func makeTile(
        _ screen: Screen, _ state: ScreenState, _ words: StateTitles, _ sentence: StateDescriptions
    ) throws -> ExportModel.Tile {
        let scene = recordings[.init(screen: screen.id, state: state.name)]
        var drawn: String?
        var showing = RenderStatus.unreachable(scene?.unreachableReason ?? "")
        if case .reached(let capture)? = scene?.outcome {
            do {
                drawn = try renderDocument(capture)
                showing = .reached
            } catch let error as TemplateError {
                // A broken one harms no other.
                showing = .broken("\(error)")
            }
        }
        return ExportModel.Tile(
            tileID: "\(screen.id)/\(state.name)", stateTitle: words.title(of: state),
            stateName: state.name, description: sentence.description(of: state), document: drawn,
            failure: showing.failure,
            steps: (scene?.steps ?? []).map { "\($0.instruction), \($0.detail)" })
    }
}
