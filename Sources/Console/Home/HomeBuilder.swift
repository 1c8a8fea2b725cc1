import Apps
import Core
import FoundationEssentials
import Simulator
import Traffic
import Web

/// Builds the home page for a workspace and a browser's device.
struct HomeBuilder {
    let services: Services
    let cardArtwork: CardArtwork
    let workspace: String
    /// Nil for a browser that has not opened an app yet.
    let device: Device?

    func build() async throws -> Page<HomeModel> {
        let entries = services.appCatalog.entries()
        var cards: [HomeModel.AppCard] = []
        for entry in entries {
            switch entry {
            case .app(let app): cards.append(try await card(app))
            case .broken(let id, _): cards.append(brokenCard(id))
            }
        }
        let manifests = Format.count(entries.count, "manifest")
        return Page(
            "Home", navItem: "home", url: Links.home,
            HomeModel(
                heading: Format.spelled(entries.count, "app") + ", one workspace",
                appsNote: "\(manifests), reloaded on change", entryPoints: try await entryPoints(),
                apps: cards))
    }

    // MARK: Entry points

    private func entryPoints() async throws -> [HomeModel.EntryPoint] {
        var query = SessionQuery(workspace: workspace)
        query.limit = 1
        let sessions = try await services.simulator.sessions(query).workspaceTotals.values.reduce(
            0, +)
        return [
            .init(
                id: "test", name: "Test a flow",
                description: "Sign in, let the token expire, see how the app reacts.",
                linkText: "Open the studio",
                href: services.firstApp.map { Links.studio($0) } ?? Links.home, icon: "phone"),
            .init(
                id: "sessions", name: "Inspect sessions",
                description: "Who is signed in where, what is stored, what the tokens claim.",
                linkText: sessions == 0 ? "View list" : Format.count(sessions, "session"),
                href: Links.sessions, icon: "key"),
            .init(
                id: "walkthrough", name: "Guided tour",
                description: "An app's sign-in flow, screen by screen, with notes.",
                linkText: services.appCatalog.apps.first.map { "Start with \($0.name)" }
                    ?? "View error", href: Links.walkthroughs, icon: "flag"),
        ]
    }

    // MARK: Cards

    private func card(_ app: App) async throws -> HomeModel.AppCard {
        let states = app.screens.reduce(0) { $0 + app.states(of: $1).count }
        let (tone, state) = try await state(of: app)
        return HomeModel.AppCard(
            id: app.id, name: app.name, glyph: GlyphModel(app), coverBackground: app.look.cover,
            coverURL: cardArtwork.url("cover.svg", ofApp: app.id),
            coverDarkURL: cardArtwork.url("cover-dark.svg", ofApp: app.id),
            sizeText: Format.count(app.screens.count, "screen") + ", "
                + Format.count(states, "state"), tone: tone, stateText: state,
            studioURL: Links.studio(app.id), problemURL: nil,
            sessionsURL: Links.sessions(ofApp: app.id), storyboardURL: Links.storyboard(app.id),
            walkthroughURL: Links.walkthrough(app.id))
    }

    private func brokenCard(_ id: String) -> HomeModel.AppCard {
        let glyph = GlyphModel.unknown(id)
        return HomeModel.AppCard(
            id: id, name: id, glyph: glyph, coverBackground: glyph.background, coverURL: nil,
            coverDarkURL: nil, sizeText: "Couldn't load", tone: "bad",
            stateText: "Manifest error", studioURL: nil, problemURL: Links.studio(id),
            sessionsURL: Links.sessions(ofApp: id), walkthroughURL: nil)
    }

    /// The app's state on this device: the dot's tone, and a sentence.
    private func state(of app: App) async throws -> (String, String) {
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
        let user = Self.user(of: session)
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

    private static func user(of session: Session) -> String? {
        session.email ?? session.userID.map { "user \(Format.shortID($0))" }
    }
}
