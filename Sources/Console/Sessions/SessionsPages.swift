import Apps
import Simulator
import Web

/// `/sessions` and `/sessions/{session}`: who is signed in where, and one
/// session in full.
struct SessionsPages: Sendable {
    let services: Services
    let visitors: Visitors
    let judge: SignatureJudge
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/sessions", handler: list),
            Route(.get, "/sessions/{session}", handler: show),
            Route(.post, "/sessions/{session}/refresh", handler: refresh),
            Route(.post, "/sessions/{session}/probe", handler: probe),
            Route(.post, "/sessions/{session}/race", handler: race),
            Route(.post, "/sessions/{session}/replay", handler: replay),
            Route(.post, "/sessions/{session}/lose", handler: lose),
            Route(.get, "/sessions/{session}/compare", handler: compare),
            Route(.get, "/sessions/{session}/sign-out", handler: askSignOut),
            Route(.post, "/sessions/{session}/sign-out", handler: signOut),
        ]
    }

    // MARK: The list

    @Sendable private func list(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: SessionsBuilder.filters + Keyset.names + ["part"])
        let model = try await SessionsBuilder(
            services: services, judge: judge, frames: frames,
            workspace: try visitors.workspace(of: visit), csrf: visit.csrf,
            listing: try Listing(Links.sessions, filters: SessionsBuilder.filters, asked: asked)
        ).build()
        return try PageParts.list("sessions", services.templates).answer(
            asked["part"], model, frame: model.frame)
    }

    // MARK: One

    /// The page, or with `part` one section of it; `reveal` names a storage
    /// key to be shown whole.
    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["part", "reveal"])
        let session = try await services.session(of: visit, visitors)
        let place = session.place
        var revealed: (key: String, value: String)?
        if let key = asked["reveal"], session.endedAt == nil {
            revealed = (key, try await services.simulator.reveal(place, key: key))
        }
        let own = try await visitors.device(of: visit, in: session.workspace)
        let model = try await SessionBuilder(
            services: services, judge: judge, frames: frames, session: session,
            isOwnDevice: own?.id == session.device, csrf: visit.csrf, revealed: revealed
        ).build()
        let parts = ["state", "views", "family", "tokens", "storage", "exchanges", "known"]
        return try PageParts(
            templates: services.templates, page: "sessions/session",
            parts: Dictionary(uniqueKeysWithValues: parts.map { ($0, "sessions/\($0)") })
        ).answer(asked["part"], model, frame: model.frame)
    }

    @Sendable private func refresh(_ visit: Visit) async throws -> Response {
        let session = try await services.session(of: visit, visitors)
        _ = try await services.simulator.refresh(session: session.id, in: session.workspace)
        return .redirect(to: Links.session(session.id))
    }

    @Sendable private func askSignOut(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let session = try await services.session(of: visit, visitors)
        let app = services.catalogue.app(session.app)?.name ?? session.app
        let page = Links.session(session.id)
        let model = ConfirmModel(
            frame: try await frames.frame(
                "Sign out", place: "sessions", workspace: session.workspace, csrf: visit.csrf,
                partURL: Links.part(page, [])), csrf: visit.csrf,
            confirm: ConfirmModel.Confirm(
                action: Links.session(session.id, "sign-out"),
                question: "Sign \(session.who) out of \(app)?",
                consequence: "The device forgets its tokens as the app's own "
                    + "logout would. The account stays, and so do other devices' sessions.",
                yes: "Sign out", no: "Stay signed in", backURL: page, destroys: true))
        return try PageParts.confirm(part, model, services.templates)
    }

    @Sendable private func signOut(_ visit: Visit) async throws -> Response {
        let session = try await services.session(of: visit, visitors)
        try await services.simulator.signOut(session: session.id, in: session.workspace)
        return .redirect(to: Links.session(session.id))
    }
}
