import Apps
import FoundationEssentials
import Storyboards
import Templates
import Web

/// Builds the model of the single-file storyboard.
struct ExportBuilder {
    let app: App
    let recordings: [StateID: StateRecording]
    let size: String
    let now: Date
    /// Renders a reached state as a self-contained document.
    let renderDocument: (StateRecording.ScreenCapture) throws -> String

    func build() throws -> ExportModel {
        let size = DeviceSizes.size(size) ?? DeviceSizes.all[0]
        let unreachableCount = recordings.values.count { !$0.isReached }
        let sections = try app.screens.map(makeSection)
        let brokenCount = sections.flatMap(\.tiles).count { $0.failure?.kind == .broken }
        let count =
            Format.count(app.screens.count, "screen") + ", "
            + Format.count(recordings.count, "state")
        let names = app.screens.map(\.id)
        return ExportModel(
            pageTitle: "\(app.name) storyboard", appName: app.name,
            countText: count
                + (unreachableCount == 0 ? "" : ", \(unreachableCount) unreachable")
                + (brokenCount == 0 ? "" : ", \(brokenCount) broken"),
            createdAt: now.iso8601,
            createdText: Format.dateTime(now), width: size.width, height: size.height,
            sections: sections,
            edgeDescriptions: BoardEdge.all(of: app, between: names).map {
                $0.description(columns: names)
            })
    }

    private func makeSection(_ screen: Screen) throws -> ExportModel.Section {
        let states = app.storyboardStates(of: screen)
        return ExportModel.Section(
            screenName: screen.id, screenTitle: screen.title, note: states.first?.note,
            tiles: try states.map(makeTile), selectors: screen.selectors)
    }

    private func makeTile(_ state: StoryboardState) throws -> ExportModel.Tile {
        let recording = recordings[state.id]
        var document: String?
        var status = RenderStatus.unreachable(recording?.unreachableReason ?? "")
        if case .reached(let capture)? = recording?.outcome {
            do {
                document = try renderDocument(capture)
                status = .reached
            } catch let error as TemplateError {
                // One broken template does not fail the export.
                status = .broken("\(error)")
            }
        }
        return ExportModel.Tile(
            tileID: "\(state.screen.id)/\(state.name)", stateTitle: state.title,
            stateName: state.name, description: state.description, document: document,
            failure: status.failure)
    }
}

/// A storyboard in one file (`storyboard/export`).
struct ExportModel: Encodable, Sendable {
    var pageTitle: String
    var appName: String
    /// `6 screens, 52 states, 2 unreachable`.
    var countText: String
    /// The creation time in ISO 8601, and formatted for display.
    var createdAt: String
    var createdText: String
    /// The size of a frame, in points.
    var width: Int
    var height: Int
    var sections: [Section]
    /// `login leads to map: Login`.
    var edgeDescriptions: [String]

    struct Section: Encodable, Sendable {
        var screenName: String
        var screenTitle: String
        /// From the manifest's walkthrough.
        var note: String?
        var tiles: [Tile]
        var selectors: [String]
    }

    struct Tile: Encodable, Sendable {
        /// `login/failure.login.2`; an anchor in the file.
        var tileID: String
        var stateTitle: String
        var stateName: String
        var description: String
        /// The complete HTML document; nil if the state has no screen.
        var document: String?
        /// Why `document` is nil.
        var failure: RenderStatus.Failure?
    }
}
