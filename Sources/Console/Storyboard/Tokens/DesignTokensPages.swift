import Apps
import Core
import Web

/// `/storyboard/{app}/look`: an app's design tokens, to look at, to try other
/// values of, to save and to take along.
struct DesignTokensPages: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    let frames: FrameBuilder
    let folders: AppStyleSheets.Folders

    /// One save after another, so that of two tabs the second finds what the
    /// first wrote.
    private static let saveQueue = BackgroundQueue("look")

    var routes: [Route] {
        [
            Route(.get, "/storyboard/{app}/look", handler: show),
            Route(.post, "/storyboard/{app}/look", handler: save),
            Route(.post, "/storyboard/{app}/look/preview", handler: preview),
            Route(.get, "/storyboard/{app}/look.css", handler: downloadCSS),
            Route(.get, "/storyboard/{app}/look.json", handler: downloadJSON),
        ]
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let broken = try ManifestErrorPage(
            context, services, scopeResolver, frames, navItemID: "storyboard")
        if let broken { return try await broken.response(part: nil) }
        let app = try services.app(of: context)
        let sheets = AppStyleSheets(app: app.id, folders: folders)
        let known = DesignTokens(sheets).tokens.map(\.name)
        var asked = try context.query(allowing: known + ["part", "saved", "in"])
        let part = asked.removeValue(forKey: "part")
        let saved = asked.removeValue(forKey: "saved").flatMap { Int($0) }
        let files = (asked.removeValue(forKey: "in") ?? "").split(separator: " ")
        let refusals = DesignTokensWriter(tokens: DesignTokens(sheets), edits: asked).errors
        var builder = try makeBuilder(
            context, app, DesignTokens(sheets, edits: asked.filter { refusals[$0.key] == nil }))
        builder.errors = refusals
        builder.enteredValues = asked
        let names = sheets.sheets.filter { $0.isAppOwned && files.contains($0.fileName[...]) }.map(
            \.displayPath)
        if let saved, !names.isEmpty {
            builder.note = .init(
                noteText: "\(Format.count(saved, "value")) saved in "
                    + "\(names.joined(separator: " and ")).", noteTone: "ok")
        } else if !asked.isEmpty {
            builder.note = .init(
                noteText: "Nothing is saved yet: \(Format.count(asked.count, "value")) "
                    + "\(asked.count == 1 ? "differs" : "differ") from the style sheet.",
                noteTone: "accent")
        }
        return try await respond(builder, part: part)
    }

    /// Comes back with what was changed in the address, for a browser that
    /// runs no script.
    @Sendable private func preview(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let form = try Form(context.request)
        let changes = Self.changes(in: form)
        return .redirect(
            to: Links.url(
                Links.designTokens(app.id),
                changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    @Sendable private func save(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let form = try Form(context.request)
        let (typed, digest) = (Self.changes(in: form), form["digest"])
        let made = try await Self.saveQueue.run { [folders] in
            DesignTokensWriter.save(typed, app: app.id, folders, digest: digest)
        }
        guard case .saved(let files) = made.outcome else {
            return try await respondToFailedSave(context, app, made)
        }
        return .redirect(
            to: Links.url(
                Links.designTokens(app.id),
                made.edits.isEmpty
                    ? []
                    : [("saved", String(made.edits.count)), ("in", files.joined(separator: " "))])
        )
    }

    /// The page with what was typed, and why it was not saved.
    private func respondToFailedSave(
        _ context: RequestContext, _ app: App, _ made: DesignTokensWriter.SaveResult
    ) async throws
        -> Response
    {
        var builder = try makeBuilder(
            context, app,
            DesignTokens(made.sheets, edits: made.edits.filter { made.errors[$0.key] == nil }))
        builder.enteredValues = made.edits
        builder.errors = made.errors
        let (status, tone, text): (Int, String, String)
        switch made.outcome {
        case .invalid:
            let names = made.errors.keys.sorted().joined(separator: ", ")
            (status, tone) = (422, "bad")
            text =
                "Nothing was saved: \(names) cannot be written like that. "
                + "The other values are kept below."
        case .stale:
            (status, tone) = (409, "warn")
            text =
                "Nothing was saved: the style sheet changed since this "
                + "page read it. Your values are kept below, beside what it "
                + "says now; save again to write them into it."
        case .misread:
            (status, tone) = (422, "bad")
            text = "Nothing was saved: the sheet would not be read as it was meant."
        case .writeFailed(let name, let before):
            (status, tone) = (500, "bad")
            let rest =
                before.isEmpty
                ? "Nothing was saved. " : "\(before.joined(separator: " and ")) was saved before. "
            text =
                "\(name) cannot be written. \(rest)Look at its permissions "
                + "and those of its folder."
        case .saved: preconditionFailure("what was saved is not refused")
        }
        builder.note = .init(noteText: text, noteTone: tone)
        return try await respond(builder, status: status)
    }

    // MARK: To take along

    @Sendable private func downloadCSS(_ context: RequestContext) async throws -> Response {
        try export(context, as: "css", type: "text/css") {
            Array(DesignTokensExport(app: $0, tokens: $1).css.utf8)
        }
    }

    @Sendable private func downloadJSON(_ context: RequestContext) async throws -> Response {
        try export(context, as: "json", type: "application/json") {
            DesignTokensExport(app: $0, tokens: $1).json.bytes
        }
    }

    private func export(
        _ context: RequestContext, as kind: String, type: String,
        _ write: (App, DesignTokens) -> [UInt8]
    ) throws -> Response {
        _ = try context.query(allowing: [])
        let app = try services.app(of: context)
        let tokens = DesignTokens(AppStyleSheets(app: app.id, folders: folders))
        let name = kind == "json" ? "\(app.id).tokens.json" : "\(app.id).css"
        return Response(
            status: 200,
            headers: [
                "Content-Type": "\(type); charset=utf-8",
                "Content-Disposition": "attachment; filename=\"\(name)\"",
            ], body: .bytes(write(app, tokens)))
    }

    // MARK: Parts of it

    private func makeBuilder(_ context: RequestContext, _ app: App, _ tokens: DesignTokens) throws
        -> DesignTokensBuilder
    {
        DesignTokensBuilder(
            services: services, frames: frames, app: app,
            workspace: try scopeResolver.workspace(of: context), csrf: context.csrfToken,
            tokens: tokens)
    }

    /// What a form has otherwise than the page it comes from.
    private static func changes(in form: Form) -> [String: String] {
        form.items.reduce(into: [:]) { changes, item in
            guard item.name.hasPrefix("--"), let was = form["was\(item.name)"],
                was.whitespaceCollapsed != item.value.whitespaceCollapsed
            else { return }
            changes[item.name] = item.value.whitespaceCollapsed
        }
    }

    private func respond(_ builder: DesignTokensBuilder, part: String? = nil, status: Int = 200)
        async throws
        -> Response
    {
        let model = try await builder.build()
        var response = try PageRenderer(
            templates: services.templates, pageTemplate: "storyboard/look", partTemplates: [:]
        ).response(part, model, frame: model.frame)
        response.status = status
        return response
    }
}
