import Templates
import Traffic
import Web
import Workspaces

/// `/traffic/import`: imports an HTTP Archive.
package struct ImportPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            .page(Links.importTraffic) { try await page($0, problem: nil) },
            Route(.post, Links.importTraffic, handler: importFile),
        ]
    }

    /// The body limit of requests that upload an archive, including the multipart overhead; nil for
    /// other targets.
    static func fileLimit(_ target: String) -> Int? {
        if [Links.addApp, Links.appsAPI].contains(target) {
            return AddAppPages.maxDocumentBytes + (4 << 10)
        }
        return [Links.importTraffic, Links.importTrafficAPI].contains(target)
            ? HARFile.maxBytes + (4 << 10) : nil
    }

    @Sendable private func importFile(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        do {
            let form = try Multipart(context.request)
            guard let bytes = form["har"], !bytes.isEmpty else {
                throw Problem(
                    status: 400, code: "no-file", title: "No file selected",
                    detail: "Choose a HAR file saved by a browser's network panel.")
            }
            _ = try await services.harImport.importArchive(bytes, into: workspace)
            return .redirect(to: Links.url(Links.traffic, [("cause", "imported")]))
        } catch let problem as Problem { return try await page(context, problem: problem) }
    }

    private func page(_ context: RequestContext, problem: Problem?) async throws -> Response {
        let errors = problem?.errors.map { error -> TemplateModel in
            [
                "errorPointer": error.pointer.isEmpty ? "File" : error.pointer,
                "errorDetail": error.detail,
            ]
        }
        let page = Page(
            title: "Import HAR", navItem: "traffic", url: Links.importTraffic,
            model: [
                "action": Links.importTraffic, "maxSize": "\(HARFile.maxBytes >> 20) MiB",
                "maxCount": Format.count(HARFile.maxEntries, "request"),
                "retentionText": Format.count(services.exchanges.maxCount, "request"),
                "problemTitle": problem?.title, "problemText": problem?.detail, "errors": errors,
            ])
        return try await services.respond(
            to: context, page, "traffic/import", status: problem?.status ?? 200)
    }
}
