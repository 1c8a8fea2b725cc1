import Traffic
import Web
import Workspaces

/// `/traffic/import`: imports an HTTP Archive.
package struct ImportPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, "/traffic/import", handler: showForm),
            Route(.post, "/traffic/import", handler: importFile),
        ]
    }

    /// The body limit of requests that upload an archive, including the multipart overhead; nil for
    /// other targets.
    static func fileLimit(_ target: String) -> Int? {
        [Links.importTraffic, Links.importTrafficAPI].contains(target)
            ? HARFile.maxBytes + (4 << 10) : nil
    }

    @Sendable private func showForm(_ context: RequestContext) async throws -> Response {
        let part = try context.query(allowing: ["part"])["part"]
        return try await page(context, part: part, problem: nil, status: 200)
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
        } catch let problem as Problem {
            return try await page(context, part: nil, problem: problem, status: problem.status)
        }
    }

    private func page(_ context: RequestContext, part: String?, problem: Problem?, status: Int)
        async throws
        -> Response
    {
        let workspace = try services.workspace(of: context)
        let model = ImportModel(
            frame: try await services.frame(
                "Import HAR", navItem: "traffic", workspace: workspace,
                csrfToken: context.csrfToken,
                partURL: Links.partURL(Links.importTraffic, [])), csrf: context.csrfToken,
            action: Links.importTraffic, maxSize: "\(HARFile.maxBytes >> 20) MiB",
            maxCount: Format.count(HARFile.maxEntries, "request"),
            retentionText: Format.count(services.exchanges.maxCount, "request"),
            problem: problem.map { problem in
                .init(
                    problemTitle: problem.title, problemText: problem.detail,
                    hasErrors: !problem.errors.isEmpty,
                    errors: problem.errors.map {
                        .init(
                            errorPointer: $0.pointer.isEmpty ? "File" : $0.pointer,
                            errorDetail: $0.detail)
                    })
            })
        var response = try PageRenderer(
            templates: services.templates, pageTemplate: "traffic/import", partTemplates: [:]
        ).response(part, model, frame: model.frame)
        response.status = status
        return response
    }
}

/// The import page for HTTP Archives (`traffic/import`).
struct ImportModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var action: String
    /// `32 MiB`.
    var maxSize: String
    /// `500 requests`.
    var maxCount: String
    /// The retention limit of a workspace: `5,000 requests`.
    var retentionText: String
    /// The errors of the last file; nil before an upload.
    var problem: ImportProblem?

    struct ImportProblem: Encodable, Sendable {
        var problemTitle: String
        var problemText: String
        var hasErrors: Bool
        var errors: [EntryError]
    }

    struct EntryError: Encodable, Sendable {
        /// `/log/entries/3/request/url`.
        var errorPointer: String
        var errorDetail: String
    }
}
