import Apps
import Core
import DesignTokens
import Simulator
import Templates
import Web

/// `/`: entry points, and the apps with their states.
///
/// Works in a browser whose workspace no longer exists, and moves it to `main`.
struct HomePages: Sendable {
    private let services: Services
    private let folders: AppFolders

    init(services: Services, folders: AppFolders) {
        var services = services
        services.scopeResolver.fallsBackToMain = true
        self.services = services
        self.folders = folders
    }

    var routes: [Route] { [.page(Links.home, handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        // Nil for a browser that has not opened an app yet.
        let device = try await services.scopeResolver.device(of: context, in: workspace)
        let entries = services.appCatalog.entries()
        var cards: [TemplateModel] = []
        for entry in entries {
            switch entry {
            case .app(let app):
                cards.append(card(app, try await state(of: app, on: device, in: workspace)))
            case .broken(let id, _): cards.append(brokenCard(id))
            }
        }
        var query = SessionQuery(workspace: workspace)
        query.keyset.limit = 1
        let sessionCount = try await services.simulator.sessions(query).workspaceTotals.values
            .reduce(0, +)
        let page = Page(
            title: "Home", navItem: "home", url: Links.home,
            model: [
                "heading": Format.spelled(entries.count, "app") + ", one workspace",
                "appsNote": "\(Format.count(entries.count, "manifest")), reloaded on change",
                "studioURL": services.firstApp.map { Links.studio($0) } ?? Links.home,
                "sessionsText": sessionCount == 0
                    ? "View list" : Format.count(sessionCount, "session"),
                "walkthroughURL": Links.walkthroughs,
                "walkthroughText": services.appCatalog.apps.first.map { "Start with \($0.name)" }
                    ?? "View error", "apps": cards,
                "brokenText": services.appCatalog.brokenAppsText,
            ])
        return try await services.respond(
            to: context, page, "home/home", parts: ["apps": "home/apps"],
            setting: services.scopeResolver.cookieLeavingMissingWorkspace(context))
    }

    // MARK: Cards

    private func card(_ app: App, _ state: (tone: String, text: String)) -> TemplateModel {
        let stateCount = app.screens.reduce(0) { $0 + app.states(of: $1).count }
        return [
            "id": app.id, "name": app.name, "glyph": GlyphModel(app),
            // Behind the glyph if the app provides no cover image.
            "coverBackground": app.look.cover,
            "coverURL": artworkURL("cover.svg", of: app.id),
            "coverDarkURL": artworkURL("cover-dark.svg", of: app.id),
            "sizeText": Format.count(app.screens.count, "screen") + ", "
                + Format.count(stateCount, "state"), "tone": state.tone, "stateText": state.text,
            "links": [
                "studio": Links.studio(app.id), "sessions": Links.sessions(ofApp: app.id),
                "storyboard": Links.storyboard(app.id), "walkthrough": Links.walkthrough(app.id),
            ],
        ]
    }

    /// The URL of a file that the app may provide; nil if it does not.
    private func artworkURL(_ file: String, of app: String) -> String? {
        let url = Links.appAsset(app, file)
        return folders.locateFile(at: url) == nil ? nil : url
    }

    private func brokenCard(_ id: String) -> TemplateModel {
        let identity = services.appCatalog.identity(ofApp: id)
        let glyph = GlyphModel(identity, ofApp: id)
        return [
            "id": id, "name": services.manifestName(ofApp: id), "glyph": glyph,
            "coverBackground": identity.look?.cover ?? glyph.background,
            "coverURL": artworkURL("cover.svg", of: id),
            "coverDarkURL": artworkURL("cover-dark.svg", of: id),
            "sizeText": "Couldn't load", "tone": "bad", "stateText": "Manifest error",
            "links": ["problem": Links.studio(id), "sessions": Links.sessions(ofApp: id)],
        ]
    }

    /// The app's state on this device: a sentence, and the dot's tone: `ok` signed in, `warn`
    /// expired, `bad` revoked or broken, `none` not started or signed out.
    private func state(of app: App, on device: Device?, in workspace: String) async throws -> (
        tone: String, text: String
    ) {
        guard let device else { return ("none", "Not started") }
        let status: AppStatus
        do {
            status = try await services.simulator.status(
                AppInstance(workspace: workspace, device: device.id, app: app.id))
        } catch let problem as Problem where problem.code == Problem.unreadableStorageCode {
            return ("bad", "Couldn't read storage")
        }
        guard !status.visits.isEmpty else { return ("none", "Not started") }
        let screenText = "On \(status.screen)"
        guard let session = status.session else { return ("none", screenText) }
        let user = session.email ?? session.userID.map { "user \(Format.shortID($0))" }
        switch session.state {
        case .active: return ("ok", user.map { "\(screenText), \($0)" } ?? screenText)
        case .expired:
            let end = session.accessToken?.expiresAt
            let since = end.map { " " + Format.ago($0, services.now(in: workspace)) }
            return ("warn", "\(screenText), token expired\(since ?? "")")
        case .revoked: return ("bad", user.map { "\($0), revoked" } ?? "Revoked")
        case .signedOut: return ("none", "\(screenText), signed out")
        }
    }
}
