import Apps
import Core
import Storyboards
import Templates
import Web

/// `/storyboard/{app}`: every screen of an app in every state, and what is known about them.
struct StoryboardPages: Sendable {
    let services: Services
    let stateCache: StateCache
    /// Megabytes each for an app of thousands of states.
    private let renderedBoards = BoardBuilder.Cache(capacity: 8)

    var routes: [Route] {
        [
            Route(.get, Links.storyboards) { _ in
                .redirect(to: services.firstApp.map { Links.storyboard($0) } ?? Links.home)
            },
            Route(.get, Links.storyboard, handler: showBoard),
            Route(.post, Links.rerenderStoryboard, handler: rerender),
            Route(.get, Links.transitionMap, handler: showMap),
            Route(.get, Links.accessibility, handler: showAccessibility),
            Route(.get, Links.copy, handler: showCopy),
            Route(.get, Links.copyCSV, handler: downloadCopy),
            Route(.get, Links.statePage, handler: showState),
            Route(.post, Links.replayState, handler: replay),
        ]
    }

    // MARK: Pages of an app

    @Sendable private func showBoard(_ context: RequestContext) async throws -> Response {
        try await show(
            "storyboard/board",
            parts: ["panel": "storyboard/panel", "status": "storyboard/status"],
            allowing: StoryboardQuery.boardParameterNames, context
        ) { page in
            let query = try StoryboardQuery.board(page.app, page.query)
            let comparedApp = try query.values["compare"].map(services.app)
            // A screen of another app filters out everything; a screen of no app is an error.
            if let screen = query["screen"],
                !services.appCatalog.apps.contains(where: { $0.screen(screen) != nil })
            {
                throw Problem.unknownScreen(screen)
            }
            return try BoardBuilder(
                page: page, query: query, comparedApp: comparedApp, renderedBoards: renderedBoards
            ).build()
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
            "storyboard/accessibility", allowing: AccessibilityBuilder.parameterNames, context
        ) { page in
            try AccessibilityBuilder(page).build()
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
            let builder = CopyBuilder(app: page.app, deck: CopyDeck(page.app, services.templates))
            return Page(
                .copy, of: page.app, services, url: listing.pageURL, script: "copy.js",
                try builder.build(listing))
        }
    }

    /// The filtered texts as CSV.
    @Sendable private func downloadCopy(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let query = try context.query(allowing: CopyBuilder.filterNames)
        let rows = try CopyBuilder(app: app, deck: CopyDeck(app, services.templates)).rows(query)
        return .download(
            Array(CSV.encode(CopyBuilder.csvRows(rows)).utf8),
            "text/csv; charset=utf-8; header=present", as: "\(app.id)-copy.csv")
    }

    @Sendable private func rerender(_ context: RequestContext) async throws -> Response {
        let app = try services.app(of: context)
        let form = try Form(context.request)
        stateCache.invalidate(app.id)
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.storyboard(app.id))
    }

    /// A page of an app, or one part of it; the errors of its manifest if there are any.
    private func show(
        _ template: String, parts: [String: String] = [:], allowing parameters: [String],
        _ context: RequestContext, build: (StoryboardPage) async throws -> Page
    ) async throws -> Response {
        let query = try context.query(allowing: parameters + ["part"])
        if let errorPage = try await services.manifestErrorPage(context, navItemID: "storyboard") {
            return errorPage
        }
        let page = StoryboardPage(
            services: services, stateCache: stateCache, app: try services.app(of: context),
            query: query, origin: services.origin(of: context))
        return try await services.respond(to: context, build(page), template, parts: parts)
    }

    // MARK: One state

    /// One state on its own, at several sizes and in both appearances.
    @Sendable private func showState(_ context: RequestContext) async throws -> Response {
        let values = try context.query(
            allowing: StoryboardState.detailParameters.map(\.name) + ["part"])
        let state = try services.screenState(of: context)
        let query = try StoryboardQuery(
            Links.statePage(state.id), StoryboardState.detailParameters, values)
        let recording = try await stateCache.recording(of: state)
        let result = (recording, services.renderStatus(of: recording))
        let page = Page(
            title: state.fullTitle, navItem: "storyboard", url: query.path,
            model: try state.detail(
                result, services.storyboardStates(of: state.app),
                services.screenGraph(of: state.app), query, origin: services.origin(of: context)))
        return try await services.respond(to: context, page, "storyboard/state")
    }

    @Sendable private func replay(_ context: RequestContext) async throws -> Response {
        let id = try services.screenState(of: context).id
        let form = try Form(context.request)
        stateCache.invalidate(id)
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.statePage(id))
    }
}

/// The storyboard of an app: every screen in every state, and what is known about them.
extension Links {
    /// Redirects to the first app's storyboard.
    static let storyboards = "/storyboard"
    static let storyboard = PagePath("/storyboard/{app}")
    /// POST: discards the recordings, so that every tile is played again on demand.
    static let rerenderStoryboard = PagePath("/storyboard/{app}/render")
    static let transitionMap = PagePath("/storyboard/{app}/map")
    /// The storyboard as one file.
    static let exportStoryboard = PagePath("/storyboard/{app}/export")
    static let accessibility = PagePath("/storyboard/{app}/accessibility")
    static let copy = PagePath("/storyboard/{app}/copy")
    static let copyCSV = PagePath("/storyboard/{app}/copy.csv")
    static let designTokens = PagePath("/storyboard/{app}/tokens")
    /// POST: redirects with the edits in the URL.
    static let previewDesignTokens = PagePath("/storyboard/{app}/tokens/preview")
    static let designTokensCSS = PagePath("/storyboard/{app}/tokens.css")
    static let designTokensJSON = PagePath("/storyboard/{app}/tokens.json")

    /// One state on its own.
    static let statePage = PagePath("/storyboard/{app}/{screen}/{state}")
    /// POST: discards the recording, so that the state is played again on demand.
    static let replayState = PagePath("/storyboard/{app}/{screen}/{state}/render")
    /// The screen in that state, as a document for a frame.
    static let tile = PagePath("/storyboard/{app}/{screen}/{state}/frame")

    static func statePage(_ state: StateID, _ options: [(String, String?)] = []) -> String {
        url(statePage(state.app, state.screen, state.state), options)
    }

    static func tile(_ state: StateID, _ options: [(String, String?)] = []) -> String {
        url(tile(state.app, state.screen, state.state), options)
    }
}

extension Response {
    /// A file to save under a name.
    static func download(_ bytes: [UInt8], _ type: String, as name: String) -> Response {
        Response(
            status: 200,
            headers: [
                "Content-Type": type, "Content-Disposition": "attachment; filename=\"\(name)\"",
            ], body: .bytes(bytes))
    }
}
