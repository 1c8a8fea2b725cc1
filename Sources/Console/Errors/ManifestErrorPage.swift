import Apps
import Web

/// The page in place of the studio or the storyboard of an app that cannot be
/// read: what is wrong, where, and how to mend it.
struct ManifestErrorPage {
    let services: Services
    let frames: FrameBuilder
    let workspace: String
    let csrf: String
    let appID: String
    let error: ManifestError
    /// The page it stands in place of, and that page's place.
    let pageURL: String
    let navItemID: String

    /// In place of the page of an app that `visit` asks for; nil if that app
    /// runs or is unknown.
    init?(
        _ context: RequestContext, _ services: Services, _ scopeResolver: ScopeResolver,
        _ frames: FrameBuilder,
        navItemID: String
    ) throws {
        let id = context.parameters["app"] ?? ""
        for entry in services.appCatalog.entries() {
            guard case .broken(id, let error) = entry else { continue }
            self.services = services
            self.frames = frames
            workspace = try scopeResolver.workspace(of: context)
            csrf = context.csrfToken
            self.appID = id
            self.error = error
            pageURL = context.target.path
            self.navItemID = navItemID
            return
        }
        return nil
    }

    func response(part: String?) async throws -> Response {
        let model = try await model()
        var response = try PageRenderer(
            templates: services.templates, pageTemplate: "errors/manifest", partTemplates: [:]
        ).response(part, model, frame: model.frame)
        if part == nil { response.status = 503 }
        return response
    }

    private func model() async throws -> ManifestErrorModel {
        let name = appID.split(separator: "-").joined(separator: " ").capitalizedFirst
        // None where the file has gone since, or is no manifest any more.
        let source = services.appCatalog.manifest(ofApp: appID)
        let mistakes = error.allErrors.map { ManifestIssueBuilder(error: $0) }
        return ManifestErrorModel(
            frame: try await frames.frame(
                "\(name) cannot be read", navItem: navItemID, workspace: workspace, csrfToken: csrf,
                partURL: Links.partURL(pageURL, [])), csrf: csrf, glyph: .unknown(appID),
            appName: name,
            reloadURL: pageURL,
            kind: mistakes.count == 1
                ? "The manifest has an error" : "The manifest has \(mistakes.count) errors",
            title: "\(name) cannot be read", file: error.file,
            issues: mistakes.map { $0.model(source) }, unaffectedText: unaffectedText(name))
    }

    private func unaffectedText(_ name: String) -> String {
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
