import Apps
import Web

/// The page in place of the studio or the storyboard of an app that cannot be
/// read: what is wrong, where, and how to mend it.
struct ManifestPage {
    let services: Services
    let frames: FrameBuilder
    let workspace: String
    let csrf: String
    let id: String
    let error: ManifestError
    /// The page it stands in place of, and that page's place.
    let page: String
    let place: String

    /// In place of the page of an app that `visit` asks for; nil if that app
    /// runs or is unknown.
    init?(
        _ visit: Visit, _ services: Services, _ visitors: Visitors, _ frames: FrameBuilder,
        place: String
    ) throws {
        let id = visit.parameters["app"] ?? ""
        for entry in services.catalogue.entries() {
            guard case .broken(id, let error) = entry else { continue }
            self.services = services
            self.frames = frames
            workspace = try visitors.workspace(of: visit)
            csrf = visit.csrf
            self.id = id
            self.error = error
            page = visit.target.path
            self.place = place
            return
        }
        return nil
    }

    func answer(part: String?) async throws -> Response {
        let model = try await model()
        var response = try PageParts(
            templates: services.templates, page: "errors/manifest", parts: [:]
        ).answer(part, model, frame: model.frame)
        if part == nil { response.status = 503 }
        return response
    }

    private func model() async throws -> ManifestModel {
        let name = id.split(separator: "-").joined(separator: " ").capitalizedFirst
        // None where the file has gone since, or is no manifest any more.
        let source = services.catalogue.manifest(ofApp: id)
        let mistakes = error.all.map { ManifestMistake(error: $0) }
        return ManifestModel(
            frame: try await frames.frame(
                "\(name) cannot be read", place: place, workspace: workspace, csrf: csrf,
                partURL: Links.part(page, [])), csrf: csrf, glyph: .unknown(id), appName: name,
            againURL: page,
            kind: mistakes.count == 1
                ? "The manifest has an error" : "The manifest has \(mistakes.count) errors",
            title: "\(name) cannot be read", file: error.file,
            mistakes: mistakes.map { $0.model(source) }, stillWorks: stillWorks(name))
    }

    private func stillWorks(_ name: String) -> String {
        let others = services.apps.count
        let run =
            switch others {
            case 0: "No other app runs."
            case 1: "The other app runs."
            default: "The other \(others) apps run."
            }
        return "\(run) Sessions and traffic of \(name) are kept."
    }
}
