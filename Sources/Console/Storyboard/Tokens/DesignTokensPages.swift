import Apps
import Core
import DesignTokens
import Web

/// `/storyboard/{app}/tokens`: shows an app's design tokens, previews and saves edits, and exports
/// them.
struct DesignTokensPages: Sendable {
    let services: Services
    let folders: AppFolders

    /// Serializes saves: of two tabs, the second reads what the first wrote.
    private static let saveQueue = BackgroundQueue("design-tokens")

    var routes: [Route] {
        [
            Route(.get, Links.designTokens, handler: show),
            Route(.post, Links.designTokens, handler: save),
            Route(.post, Links.previewDesignTokens, handler: preview),
            Route(.get, Links.designTokensCSS) { context in
                try download(context, "css", "text/css") { Array($0.css.utf8) }
            },
            Route(.get, Links.designTokensJSON) { context in
                try download(context, "tokens.json", "application/json") { $0.json.bytes }
            },
        ]
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        if let errorPage = try await services.manifestErrorPage(context, navItemID: "storyboard") {
            return errorPage
        }
        let app = try services.app(of: context)
        let sheets = AppStyleSheets(app: app.id, folders: folders)
        let tokens = DesignTokenSet(sheets)
        var edits = try context.query(
            allowing: tokens.tokens.map(\.name) + ["part", "saved", "in"])
        edits["part"] = nil
        let saved = edits.removeValue(forKey: "saved").flatMap { Int($0) }
        let files = (edits.removeValue(forKey: "in") ?? "").split(separator: " ")
        let errors = DesignTokensWriter(tokens: tokens, edits: edits).errors
        let names = sheets.sheets.filter { $0.isAppOwned && files.contains($0.fileName[...]) }.map(
            \.displayPath)
        var note: ChipModel?
        if let saved, !names.isEmpty {
            note = ChipModel(
                text: "\(Format.count(saved, "value")) saved in "
                    + "\(names.joined(separator: " and ")).", tone: .ok)
        } else if !edits.isEmpty {
            note = ChipModel(
                text: "Not saved yet: \(Format.count(edits.count, "value")) "
                    + "\(edits.count == 1 ? "differs" : "differ") from the style sheet.",
                tone: .accent)
        }
        return try await page(context, app, sheets, edits, errors, note)
    }

    /// Redirects with the edits in the URL, for browsers without scripts.
    @Sendable private func preview(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let changes = Self.changes(in: try Form(context.request))
        return .redirect(
            to: Links.url(
                Links.designTokens(app.id),
                changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    @Sendable private func save(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let form = try Form(context.request)
        let (edits, digest) = (Self.changes(in: form), form["digest"])
        let result = try await Self.save(edits, app: app.id, folders, digest: digest)
        if case .saved(let files) = result.outcome {
            let items =
                result.edits.isEmpty
                ? []
                : [("saved", String(result.edits.count)), ("in", files.joined(separator: " "))]
            return .redirect(to: Links.url(Links.designTokens(app.id), items))
        }
        let status = result.outcome.status
        var text = "Not saved: " + result.outcome.explanation(of: result.errors)
        if case .invalid = result.outcome { text += " All values are preserved below." }
        if case .stale = result.outcome {
            text +=
                " Your values are below, next to the current ones; save again to overwrite those."
        }
        return try await page(
            context, app, result.sheets, result.edits, result.errors,
            ChipModel(text: text, tone: status == 409 ? .warn : .bad), status: status)
    }

    static func save(
        _ edits: [String: String], app: String, _ folders: AppFolders, digest: String?
    ) async throws -> DesignTokensWriter.SaveResult {
        try await saveQueue.run {
            DesignTokensWriter.save(edits, app: app, folders, digest: digest)
        }
    }

    // MARK: Export

    private func download(
        _ context: RequestContext, _ fileExtension: String, _ type: String,
        _ write: (DesignTokensExport) -> [UInt8]
    ) throws -> Response {
        _ = try context.query(allowing: [])
        let app = try services.app(of: context)
        let tokens = DesignTokenSet(AppStyleSheets(app: app.id, folders: folders))
        let export = DesignTokensExport(
            tokens, appName: app.name, appearances: app.tokenAppearances)
        return .download(write(export), "\(type); charset=utf-8", as: "\(app.id).\(fileExtension)")
    }

    // MARK: Building

    /// The page with the entered values, those without errors in effect.
    private func page(
        _ context: RequestContext, _ app: App, _ sheets: AppStyleSheets,
        _ entered: [String: String], _ errors: [String: String], _ note: ChipModel?,
        status: Int = 200
    ) async throws -> Response {
        let tokens = DesignTokenSet(sheets, edits: entered.filter { errors[$0.key] == nil })
        let page = DesignTokensBuilder(
            services: services, app: app, tokens: tokens, errors: errors, enteredValues: entered,
            note: note
        ).build()
        return try await services.respond(
            to: context, page, "storyboard/designtokens", status: status)
    }

    /// The values of a form that differ from those the page was rendered with.
    private static func changes(in form: Form) -> [String: String] {
        form.items.reduce(into: [:]) { changes, item in
            guard item.name.hasPrefix("--"), let original = form["was\(item.name)"],
                original.whitespaceCollapsed != item.value.whitespaceCollapsed
            else { return }
            changes[item.name] = item.value.whitespaceCollapsed
        }
    }
}

extension DesignTokensWriter.Outcome {
    /// The status of the response.
    var status: Int {
        switch self {
        case .saved: 200
        case .invalid, .misread: 422
        case .stale: 409
        case .writeFailed: 500
        }
    }

    /// Why nothing, or not all, was saved.
    func explanation(of errors: [String: String]) -> String {
        switch self {
        case .saved: return ""
        case .invalid: return "invalid values: \(errors.keys.sorted().joined(separator: ", "))."
        case .stale: return "the style sheet changed since it was read."
        case .misread: return "the style sheet would not parse as intended."
        case .writeFailed(let name, let savedFiles):
            let saved =
                savedFiles.isEmpty
                ? "nothing was saved"
                : "\(savedFiles.joined(separator: " and ")) was already saved"
            return "couldn't write \(name); \(saved). Check its permissions and those of its "
                + "folder."
        }
    }
}
