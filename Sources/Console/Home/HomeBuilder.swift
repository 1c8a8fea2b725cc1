import Apps
import FoundationEssentials
import Simulator
import Surroundings
import Traffic
import Web

/// Gathers what the home page shows of a workspace and a browser's device.
struct HomeBuilder {
    let services: Services
    let frames: FrameBuilder
    let covers: Covers
    let workspace: String
    /// Nil for a browser that has not opened an app yet.
    let device: Device?
    let csrf: String

    func build() async throws -> HomeModel {
        let part = Links.part(Links.home, [])
        let entries = services.catalogue.entries()
        var cards: [HomeModel.AppCard] = []
        for entry in entries {
            switch entry {
            case .app(let app): cards.append(try await card(app))
            case .broken(let id, _): cards.append(broken(id))
            }
        }
        let manifests = Words.count(entries.count, "manifest")
        return HomeModel(
            frame: try await frames.frame(
                "Home", place: "home", workspace: workspace, csrf: csrf, partURL: part), csrf: csrf,
            partURL: part, heading: Words.spelled(entries.count, "app") + ", one workspace",
            appsNote: "from \(manifests), read again when they change", doors: try await doors(),
            apps: cards)
    }

    // MARK: Doors

    private func doors() async throws -> [HomeModel.Door] {
        var query = SessionQuery(workspace: workspace)
        query.limit = 1
        let sessions = try await services.simulator.sessions(query).totals.values.reduce(0, +)
        return [
            .init(
                id: "test", name: "Test a flow",
                about: "Sign in, let the token end, see what the app does about it.",
                go: "Open the studio", href: services.firstApp.map(Links.studio) ?? Links.home,
                icon: "phone"),
            .init(
                id: "sessions", name: "Inspect sessions",
                about: "Who is signed in where, what is stored, what the tokens claim.",
                go: sessions == 0 ? "See the list" : Words.count(sessions, "session"),
                href: Links.sessions, icon: "key"),
            .init(
                id: "walk", name: "Walk through",
                about: "The way into an app, screen by screen, with notes.",
                go: services.apps.first.map { "Start with \($0.name)" } ?? "See what is wrong",
                href: Links.walkthroughs, icon: "flag"),
        ]
    }

    // MARK: Cards

    private func card(_ app: App) async throws -> HomeModel.AppCard {
        let states = app.screens.reduce(0) { $0 + app.states(of: $1).count }
        let (tone, state) = try await state(of: app)
        return HomeModel.AppCard(
            id: app.id, name: app.name, glyph: GlyphModel(app), coverGround: app.look.cover,
            coverURL: covers.address("cover.svg", ofApp: app.id),
            coverDarkURL: covers.address("cover-dark.svg", ofApp: app.id),
            sizeText: Words.count(app.screens.count, "screen") + ", "
                + Words.count(states, "state"), tone: tone, stateText: state,
            studioURL: Links.studio(app.id), problemURL: nil,
            sessionsURL: Links.sessions(ofApp: app.id), storyboardURL: Links.storyboard(app.id),
            walkURL: Links.walkthrough(app.id))
    }

    private func broken(_ id: String) -> HomeModel.AppCard {
        let glyph = GlyphModel.unknown(id)
        return HomeModel.AppCard(
            id: id, name: id, glyph: glyph, coverGround: glyph.ground, coverURL: nil,
            coverDarkURL: nil, sizeText: "cannot be read", tone: "bad",
            stateText: "its manifest has a mistake", studioURL: nil, problemURL: Links.studio(id),
            sessionsURL: Links.sessions(ofApp: id), walkURL: nil)
    }

    /// Where the app stands on this device: the dot's tone, and a sentence.
    private func state(of app: App) async throws -> (String, String) {
        guard let device else { return ("none", "not started") }
        let situation: Situation
        do {
            situation = try await services.simulator.situation(
                Place(workspace: workspace, device: device.id, app: app.id))
        } catch let problem as Problem where problem.code == Problem.unreadableStorage {
            return ("bad", "its storage cannot be read")
        }
        guard !situation.visits.isEmpty else { return ("none", "not started") }
        let place = "on \(situation.screen)"
        guard let session = situation.session else { return ("none", place) }
        let user = Self.user(of: session)
        switch session.state {
        case .active: return ("ok", user.map { "\(place), \($0)" } ?? place)
        case .expired:
            let end = session.accessToken?.expiresAt
            let since = end.map { " " + Words.ago($0, services.now(in: workspace)) }
            return ("warn", "\(place), token expired\(since ?? "")")
        case .revoked: return ("bad", [user, "revoked"].compactMap(\.self).joined(separator: ", "))
        case .signedOut: return ("none", "\(place), signed out")
        }
    }

    private static func user(of session: Session) -> String? {
        session.email ?? session.userID.map { "user \(Words.short($0))" }
    }
}
