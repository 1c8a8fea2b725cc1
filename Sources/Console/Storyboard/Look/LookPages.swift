import Apps
import Surroundings
import Web

/// `/storyboard/{app}/look`: an app's design tokens, to look at, to try other
/// values of, to save and to take along.
struct LookPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder
    let folders: AppSheets.Folders

    /// One save after another, so that of two tabs the second finds what the
    /// first wrote.
    private static let bench = Workbench("look")

    var routes: [Route] {
        [
            Route(.get, "/storyboard/{app}/look", handler: show),
            Route(.post, "/storyboard/{app}/look", handler: save),
            Route(.post, "/storyboard/{app}/look/preview", handler: preview),
            Route(.get, "/storyboard/{app}/look.css", handler: css),
            Route(.get, "/storyboard/{app}/look.json", handler: json),
        ]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let broken = try ManifestPage(visit, services, visitors, frames, place: "storyboard")
        if let broken { return try await broken.answer(part: nil) }
        let app = try services.app(of: visit)
        let sheets = AppSheets(app: app.id, folders: folders)
        let known = DesignTokens(sheets).tokens.map(\.name)
        var asked = try visit.query(allowing: known + ["part", "saved", "in"])
        let part = asked.removeValue(forKey: "part")
        let saved = asked.removeValue(forKey: "saved").flatMap { Int($0) }
        let files = (asked.removeValue(forKey: "in") ?? "").split(separator: " ")
        let refusals = LookSaving(tokens: DesignTokens(sheets), changes: asked).refusals
        var builder = try builder(
            visit, app, DesignTokens(sheets, edits: asked.filter { refusals[$0.key] == nil }))
        builder.errors = refusals
        builder.typed = asked
        let names = sheets.sheets.filter { $0.isOwn && files.contains($0.file[...]) }.map(\.name)
        if let saved, !names.isEmpty {
            builder.note = .init(
                noteText: "\(Words.count(saved, "value")) saved in "
                    + "\(names.joined(separator: " and ")).", noteTone: "ok")
        } else if !asked.isEmpty {
            builder.note = .init(
                noteText: "Nothing is saved yet: \(Words.count(asked.count, "value")) "
                    + "\(asked.count == 1 ? "differs" : "differ") from the style sheet.",
                noteTone: "accent")
        }
        return try await answer(builder, part: part)
    }

    /// Comes back with what was changed in the address, for a browser that
    /// runs no script.
    @Sendable private func preview(_ visit: Visit) async throws -> Response {
        let app = try services.app(of: visit)
        let form = try Form(visit.request)
        let changes = Self.changes(form)
        return .redirect(
            to: Links.query(
                Links.look(app.id), changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    @Sendable private func save(_ visit: Visit) async throws -> Response {
        let app = try services.app(of: visit)
        let form = try Form(visit.request)
        let (typed, digest) = (Self.changes(form), form["digest"])
        let made = try await Self.bench.run { [folders] in
            LookSaving.save(typed, app: app.id, folders, digest: digest)
        }
        guard case .saved(let files) = made.outcome else {
            return try await refuse(visit, app, made)
        }
        return .redirect(
            to: Links.query(
                Links.look(app.id),
                made.changes.isEmpty
                    ? []
                    : [("saved", String(made.changes.count)), ("in", files.joined(separator: " "))])
        )
    }

    /// The page with what was typed, and why it was not saved.
    private func refuse(_ visit: Visit, _ app: App, _ made: LookSaving.Made) async throws
        -> Response
    {
        var builder = try builder(
            visit, app,
            DesignTokens(made.sheets, edits: made.changes.filter { made.refusals[$0.key] == nil }))
        builder.typed = made.changes
        builder.errors = made.refusals
        let (status, tone, text): (Int, String, String)
        switch made.outcome {
        case .refused:
            let names = made.refusals.keys.sorted().joined(separator: ", ")
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
        case .unmeant:
            (status, tone) = (422, "bad")
            text = "Nothing was saved: the sheet would not be read as it was meant."
        case .unwritten(let name, let before):
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
        return try await answer(builder, status: status)
    }

    // MARK: To take along

    @Sendable private func css(_ visit: Visit) async throws -> Response {
        try export(visit, as: "css", type: "text/css") {
            Array(LookExport(app: $0, tokens: $1).css.utf8)
        }
    }

    @Sendable private func json(_ visit: Visit) async throws -> Response {
        try export(visit, as: "json", type: "application/json") {
            LookExport(app: $0, tokens: $1).json.bytes
        }
    }

    private func export(
        _ visit: Visit, as kind: String, type: String, _ write: (App, DesignTokens) -> [UInt8]
    ) throws -> Response {
        _ = try visit.query(allowing: [])
        let app = try services.app(of: visit)
        let tokens = DesignTokens(AppSheets(app: app.id, folders: folders))
        let name = kind == "json" ? "\(app.id).tokens.json" : "\(app.id).css"
        return Response(
            status: 200,
            headers: [
                "Content-Type": "\(type); charset=utf-8",
                "Content-Disposition": "attachment; filename=\"\(name)\"",
            ], body: .bytes(write(app, tokens)))
    }

    // MARK: Parts of it

    private func builder(_ visit: Visit, _ app: App, _ tokens: DesignTokens) throws -> LookBuilder {
        LookBuilder(
            services: services, frames: frames, app: app,
            workspace: try visitors.workspace(of: visit), csrf: visit.csrf, tokens: tokens)
    }

    /// What a form has otherwise than the page it comes from.
    private static func changes(_ form: Form) -> [String: String] {
        form.items.reduce(into: [:]) { changes, item in
            guard item.name.hasPrefix("--"), let was = form["was\(item.name)"],
                was.trimmed != item.value.trimmed
            else { return }
            changes[item.name] = item.value.trimmed
        }
    }

    private func answer(_ builder: LookBuilder, part: String? = nil, status: Int = 200) async throws
        -> Response
    {
        let model = try await builder.build()
        var response = try PageParts(
            templates: services.templates, page: "storyboard/look", parts: [:]
        ).answer(part, model, frame: model.frame)
        response.status = status
        return response
    }
}
