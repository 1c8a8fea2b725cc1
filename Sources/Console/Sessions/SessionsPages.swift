import Apps
import Inspection
import Simulator
import Web

/// `/sessions` (the list of sessions) and `/sessions/{session}` (one session).
struct SessionsPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.sessions, handler: list),
            Route(.get, Links.session, handler: show),
            Route(.post, Links.refreshSession, handler: action(refresh)),
            Route(.post, Links.probeSession, handler: action(probe)),
            Route(.post, Links.testConcurrentRefresh, handler: action(testConcurrentRefresh)),
            Route(.post, Links.testTokenReuse, handler: action(testTokenReuse)),
            Route(.post, Links.testDroppedResponse, handler: action(testDroppedResponse)),
            Route(.get, Links.compareTokens, handler: compareTokens),
            Route(.get, Links.signOut, handler: confirmSignOut),
            Route(.post, Links.signOut, handler: action(signOut)),
        ]
    }

    // MARK: One session

    /// The page, or with `part` one section of it; `reveal` names a storage key to show unmasked.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["part", "reveal"])
        let session = try await services.session(of: context)
        var revealed: (key: String, value: String)?
        if let key = query["reveal"], session.endedAt == nil {
            revealed = (key, try await services.simulator.reveal(session.instance, key: key))
        }
        let device = try await services.scopeResolver.device(of: context, in: session.workspace)
        let page = try await SessionBuilder(
            services: services, session: session, isBrowserDevice: device?.id == session.device,
            revealed: revealed
        ).build()
        return try await services.respond(
            to: context, page, "sessions/session",
            parts: [
                "state": "sessions/state", "comparison": "sessions/comparison",
                "family": "sessions/family", "tokens": "sessions/tokens",
                "storage": "sessions/storage", "exchanges": "sessions/exchanges",
                "status": "sessions/status",
            ])
    }

    @Sendable private func refresh(_ session: Session, _: RequestContext) async throws {
        _ = try await services.simulator.refresh(session: session.id, in: session.workspace)
    }

    @Sendable private func confirmSignOut(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let session = try await services.session(of: context)
        let app = services.appCatalog.app(session.app)?.name ?? session.app
        return try await services.confirm(
            context, "Sign out", navItem: "sessions",
            ConfirmModel(
                action: Links.signOut(session.id),
                question: "Sign \(session.userLabel) out of \(app)?",
                consequence: "Clears the device's tokens like the app's own logout. "
                    + "The account and the sessions on other devices stay.",
                confirmLabel: "Sign out", backURL: Links.session(session.id)))
    }

    @Sendable private func signOut(_ session: Session, _: RequestContext) async throws {
        try await services.simulator.signOut(session: session.id, in: session.workspace)
    }

    /// Handles a form that acts on a session, and returns to its page.
    private func action(
        _ act: @escaping @Sendable (Session, RequestContext) async throws -> Void
    ) -> @Sendable (RequestContext) async throws -> Response {
        { context in
            let session = try await services.session(of: context)
            try await act(session, context)
            return .redirect(to: Links.session(session.id))
        }
    }
}
