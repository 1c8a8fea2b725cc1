import Apps
import Backend
import DesignTokens
import FoundationEssentials
import Templates
import Web

/// `/add-app`: makes the folder of a new app, and shows what was made.
struct AddAppPages: Sendable {
    let services: Services

    /// The body limit of an uploaded or pasted OpenAPI document.
    static let maxDocumentBytes = 4 << 20

    var routes: [Route] {
        [
            .page(Links.addApp) { try await form($0) }, Route(.post, Links.addApp, handler: add),
            .page(Links.addedApp, handler: result),
        ]
    }

    @Sendable private func add(_ context: RequestContext) async throws -> Response {
        let multipart = try Multipart(context.request)
        var input: [String: String] = [:]
        for name in ["name", "color", "base", "source", "contract", "openapi"] {
            input[name] = multipart.text(name)
        }
        if let file = multipart["file"], !file.isEmpty {
            guard let text = String(validating: file, as: UTF8.self) else {
                return try await form(
                    context, input,
                    Problem(
                        errors: [.init(pointer: "/openapi", detail: "is a file that is not UTF-8")],
                        title: "Invalid app"))
            }
            input["openapi"] = text
            input["source"] = "openapi"
        }
        let draft = AppDraft(
            name: input["name"] ?? "", color: input["color"] ?? "", base: input["base"] ?? "",
            source: input["source"] == "openapi"
                ? .openAPI(input["openapi"] ?? "") : .contract(input["contract"] ?? ""))
        do throws(Problem) {
            _ = try services.makeApp(draft)
        } catch { return try await form(context, input, error) }
        return .redirect(to: Links.addedApp(draft.id))
    }

    /// The form, with what was submitted and its errors.
    private func form(
        _ context: RequestContext, _ input: [String: String] = [:], _ problem: Problem? = nil
    ) async throws -> Response {
        let errors = Dictionary(grouping: problem?.errors ?? []) { String($0.pointer.dropFirst()) }
        let isOpenAPI = input["source"] == "openapi"
        let page = Page(
            title: "Add an app", navItem: "home", url: Links.addApp,
            model: [
                "action": Links.addApp,
                "values": ["color": "#2f6f4f"].merging(input) { $1 },
                "isOpenAPI": isOpenAPI,
                "contracts": services.backend.contractIDs.sorted().map { id in
                    ChoiceModel(
                        value: id, label: services.contractLabel(id),
                        chosen: id == input["contract"])
                },
                "errors": errors.mapValues { errors in
                    errors.map { error in
                        let field = String(error.pointer.dropFirst())
                        let label = field == "openapi" ? "The document" : field.capitalizedFirst
                        return "\(label) \(error.detail)."
                    }.joined(separator: " ")
                },
                "formError": problem.flatMap { $0.errors.isEmpty ? $0.detail : nil },
                "folder": services.appCatalog.ownFolder,
                "maxSize": "\(Self.maxDocumentBytes >> 20) MiB",
            ])
        return try await services.respond(
            to: context, page, "home/addapp", status: problem?.status ?? 200)
    }

    /// What was made: the folder, its files, and what was not found.
    @Sendable private func result(_ context: RequestContext) async throws -> Response {
        let id = context.parameters["app"] ?? ""
        guard services.appCatalog.isOwn(id), let folder = services.appCatalog.ownFolder else {
            throw services.problem(ofApp: id)
        }
        if let errorPage = try await services.manifestErrorPage(context, navItemID: "home") {
            return errorPage
        }
        let app = try services.app(id)
        let page = Page(
            title: "\(app.name) was added", navItem: "home", url: Links.addedApp(id),
            model: [
                "name": app.name, "glyph": GlyphModel(app), "folder": "\(folder)/\(id)",
                "studioURL": Links.studio(id), "storyboardURL": Links.storyboard(id),
                "base": app.backends[0].baseURL(
                    embeddedAt: services.backendBase, workspace: try services.workspace(of: context)
                ),
                "sizeText": Format.count(app.screens.count, "screen") + " and "
                    + Format.count(app.calls.count, "call"),
                "remarks": services.remarks(ofApp: id).map { ["text": $0.capitalizedFirst + "."] },
            ])
        return try await services.respond(to: context, page, "home/addedapp")
    }
}

extension Services {
    /// Makes a new app among the user's own, which runs from then on; returns its folder.
    func makeApp(_ draft: AppDraft) throws(Problem) -> String {
        // The grounds of the default style's links; an invalid color is an error of the draft.
        let light = Self.readable(draft.color, on: "#f2f2f7")
        let dark = Self.readable(draft.color, on: "#1c1c1e")
        let path = try AppMaker(appCatalog, contracts: backend.contractIDs).make(
            draft,
            styleSheet: """
                /* The style of the screens of this app, on that of apps without their own. */
                @import url("/assets/plain.css");

                :root {
                  --blue: \(light);
                  --link: light-dark(\(light), \(dark));
                  --ring: light-dark(\(light), \(dark));
                }

                """)
        templates.rescan()
        return path
    }

    private static func readable(_ color: String, on background: String) -> String {
        guard let color = Color(color), let background = Color(background) else { return color }
        return color.readable(on: background).hex
    }

    /// What was not found when the app was made, from the comments of its manifest.
    func remarks(ofApp id: String) -> [String] {
        let text = String(decoding: appCatalog.manifest(ofApp: id) ?? [], as: UTF8.self)
        return text.split(separator: "\n").filter { $0.hasPrefix(AppDraft.checkPrefix) }.map {
            String($0.dropFirst(AppDraft.checkPrefix.count))
        }
    }

    /// The name of a contract's bundled app and its specification, for a choice of contracts.
    fileprivate func contractLabel(_ id: String) -> String {
        let app = appCatalog.app(id)
        return [app?.name ?? id, app?.spec].compactMap(\.self).joined(separator: ": ")
    }
}
