import Apps
import Storyboards
import Web

/// `/storyboard/{app}`: every screen of an app in every state, and what is known about them.
struct StoryboardPages: Sendable {
    let services: Services
    let stateCache: StateCache

    var routes: [Route] {
        let app = "/storyboard/{app}"
        let state = app + "/{screen}/{state}"
        return [
            Route(.get, "/storyboard", handler: redirectToFirstApp),
            Route(.get, app, handler: showBoard),
            Route(.post, app + "/render", handler: rerender),
            Route(.get, app + "/map", handler: showMap),
            Route(.get, app + "/accessibility", handler: showAccessibility),
            Route(.get, app + "/copy", handler: showCopy),
            Route(.get, app + "/copy.csv", handler: downloadCopy),
            Route(.get, state, handler: showState),
            Route(.post, state + "/render", handler: replay),
        ]
    }

    @Sendable private func redirectToFirstApp(_ context: RequestContext) async throws -> Response {
        .redirect(to: services.firstApp.map { Links.storyboard($0) } ?? Links.home)
    }

    // MARK: Pages of an app

    @Sendable private func showBoard(_ context: RequestContext) async throws -> Response {
        try await show(
            "storyboard/board",
            parts: ["panel": "storyboard/panel", "status": "storyboard/status"],
            allowing: BoardQuery.parameterNames, context
        ) { page in
            let query = try BoardQuery(app: page.app.id, query: page.query)
            let comparedApp = try query.comparedAppID.map(services.app)
            // A screen of another app filters out everything; a screen of no app is an error.
            if let screen = query.screen,
                !services.appCatalog.apps.contains(where: { $0.screen(screen) != nil })
            {
                throw Problem.unknownScreen(screen)
            }
            return try await BoardBuilder(page: page, query: query, comparedApp: comparedApp)
                .build()
        }
    }

    /// The recorded transitions, and those a test run did not cover.
    @Sendable private func showMap(_ context: RequestContext) async throws -> Response {
        try await show(
            "storyboard/map", parts: ["map": "storyboard/mapbody"], allowing: ["run"], context
        ) { page in
            let scope = try await TransitionMapScope(page.query["run"], services)
            return try await TransitionMapBuilder(page: page, scope: scope).build()
        }
    }

    /// The accessibility report of every state: the browser measures names, focus order, touch
    /// targets, contrast and announcements in the states' frames.
    @Sendable private func showAccessibility(_ context: RequestContext) async throws -> Response {
        try await show(
            "storyboard/accessibility", allowing: AccessibilityQuery.parameterNames, context
        ) { page in
            let query = try AccessibilityQuery(app: page.app, query: page.query)
            return try await AccessibilityBuilder(page: page, query: query).build()
        }
    }

    /// Every text of the app and where it appears.
    @Sendable private func showCopy(_ context: RequestContext) async throws -> Response {
        try await show(
            "storyboard/copy",
            parts: ["rows": "storyboard/copyrows", "segments": "parts/segments"],
            allowing: CopyBuilder.filterNames, context
        ) { page in
            let listing = try ListQuery(
                context, Links.copy(page.app.id), filters: CopyBuilder.filterNames, hasPages: false)
            return try await CopyBuilder(page: page, listing: listing).build()
        }
    }

    /// The filtered texts as CSV.
    @Sendable private func downloadCopy(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let query = try context.query(allowing: CopyBuilder.filterNames)
        let deck = CopyDeck(app, services.templates)
        let rows = try CopyBuilder.filtered(deck, query, of: app)
        return Response(
            status: 200,
            headers: [
                "Content-Type": "text/csv; charset=utf-8; header=present",
                "Content-Disposition": "attachment; filename=\"\(app.id)-copy.csv\"",
            ], body: .bytes(Array(CSV.encode(CopyBuilder.csvRows(rows)).utf8)))
    }

    @Sendable private func rerender(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let form = try Form(context.request)
        stateCache.invalidate(app.id)
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.storyboard(app.id))
    }

    /// A page of an app, or one part of it; the errors of its manifest if there are any.
    private func show<Model>(
        _ template: String, parts: [String: String] = [:], allowing parameters: [String],
        _ context: RequestContext, build: (StoryboardPage) async throws -> Page<Model>
    ) async throws -> Response {
        let query = try context.query(allowing: parameters + ["part"])
        if let errorPage = ManifestErrorPage(context, services, navItemID: "storyboard") {
            return try await errorPage.response()
        }
        let page = page(context, query, app: try services.app(of: context))
        return try await services.respond(to: context, build(page), template, parts: parts)
    }

    private func page(_ context: RequestContext, _ query: [String: String], app: App)
        -> StoryboardPage
    {
        StoryboardPage(
            services: services, stateCache: stateCache, app: app, query: query,
            origin: context.origin(services.port))
    }

    // MARK: One state

    /// One state on its own, at several sizes and in both appearances.
    @Sendable private func showState(_ context: RequestContext) async throws -> Response {
        let query = try context.query(
            allowing: StateDetailBuilder.DisplayOptions.parameterNames + ["part"])
        let options = try StateDetailBuilder.DisplayOptions(query: query)
        let state = try services.screenState(of: context)
        let page = try await StateDetailBuilder(
            page: page(context, query, app: state.app), state: state,
            recording: try await stateCache.recording(of: state), options: options
        ).build()
        return try await services.respond(to: context, page, "storyboard/state")
    }

    @Sendable private func replay(_ context: RequestContext) async throws -> Response {
        let id = try services.screenState(of: context).id
        let form = try Form(context.request)
        stateCache.invalidate(id)
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.storyboardState(id))
    }
}

/// What a page of an app's storyboard is built from.
struct StoryboardPage {
    let services: Services
    let stateCache: StateCache
    let app: App
    let query: [String: String]
    /// `http://127.0.0.1:7070`.
    let origin: String

    func makePage<Model>(_ title: String, url: String, script: String? = nil, _ model: Model)
        -> Page<Model>
    { Page(title, navItem: "storyboard", url: url, script: script, model) }

    /// The heading with a menu of the same page of other apps; `url` makes the page's URL.
    func appSwitch(_ id: String, _ title: String, url: (String) -> String) -> AppSwitchModel {
        AppSwitchModel(id, title, on: app, services, page: url)
    }

    /// The cached recordings of an app with their current render status.
    func playbackResults(of app: App) -> [StateID: PlaybackResult] {
        services.playbackResults(of: stateCache.cachedRecordings(of: app))
    }
}

extension RequestContext {
    /// The console's origin as this browser addresses it, `http://127.0.0.1:7070`.
    func origin(_ port: UInt16) -> String {
        "http://" + (request.headers["Host"] ?? "127.0.0.1:\(port)")
    }
}
