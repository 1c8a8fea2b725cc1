import Apps
import Web

/// The page that replaces the studio or the storyboard of an app whose manifest has errors: what is
/// wrong, where, and how to fix it.
struct ManifestErrorPage {
    let services: Services
    let context: RequestContext
    let appID: String
    let error: ManifestError
    /// The replaced page's path; `navItemID` is its navigation item.
    let pageURL: String
    let navItemID: String

    /// For the app that the request's path names; nil if that app runs or is unknown.
    init?(_ context: RequestContext, _ services: Services, navItemID: String) {
        let id = context.parameters["app"] ?? ""
        for entry in services.appCatalog.entries() {
            guard case .broken(id, let error) = entry else { continue }
            self.services = services
            self.context = context
            self.appID = id
            self.error = error
            pageURL = context.target.path
            self.navItemID = navItemID
            return
        }
        return nil
    }

    func response() async throws -> Response {
        let name = appID.split(separator: "-").joined(separator: " ").capitalizedFirst
        // Nil if the file was deleted since, or is no longer a manifest.
        let source = services.appCatalog.manifest(ofApp: appID)
        let issues = error.allErrors.map { ManifestIssueBuilder(error: $0) }
        let page = Page(
            "Couldn't load \(name)", navItem: navItemID, url: pageURL,
            ManifestErrorModel(
                glyph: .unknown(appID), appName: name, reloadURL: pageURL,
                kind: issues.count == 1 ? "Manifest error" : "\(issues.count) manifest errors",
                title: "Couldn't load \(name)", file: error.file,
                issues: issues.map { $0.model(source) }, unaffectedText: unaffectedText(name)))
        return try await services.respond(to: context, page, "errors/manifest", status: 503)
    }

    private func unaffectedText(_ name: String) -> String {
        let otherCount = services.appCatalog.apps.count
        let otherAppsText =
            switch otherCount {
            case 0: "No other app runs."
            case 1: "The other app runs."
            default: "The other \(otherCount) apps run."
            }
        return "\(otherAppsText) Sessions and traffic of \(name) stay stored."
    }
}

/// The errors of an app's manifest, in place of the app's studio (`errors/manifest`).
///
/// The page reloads on the event `apps.reloaded`.
struct ManifestErrorModel: Encodable, Sendable {
    var glyph: GlyphModel
    /// A name derived from the app's id, because its manifest cannot be read.
    var appName: String
    /// This page's URL.
    var reloadURL: String
    /// `Manifest error`, `2 manifest errors`.
    var kind: String
    /// `Couldn't load Atlas`.
    var title: String
    var file: String
    /// The errors in the order of their lines.
    var issues: [Issue]
    /// `The other app runs. Sessions and traffic of Atlas stay stored.`
    var unaffectedText: String

    struct Issue: Encodable, Sendable {
        /// `calls.login.failures[0].go`; nil if there is none.
        var codingPath: String?
        var detail: String
        /// Whether there are source lines to show.
        var anySource: Bool
        var file: String
        /// `line 52`; empty if unknown.
        var position: String
        /// The line with two lines of context on either side.
        var sourceLines: [Line]
        /// A suggested fix; nil for none.
        var fix: String?
    }

    struct Line: Encodable, Sendable {
        var number: String
        var isMarked: Bool
        /// The line's text, split around `highlighted`, the name that the error mentions.
        var before: String
        var highlighted: String?
        var after: String
    }
}
