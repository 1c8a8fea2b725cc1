import Apps
import Inspection
import Simulator
import Templates
import Web

/// `/sessions` (the list of sessions) and `/sessions/{session}` (one session).
struct SessionsPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.sessions, handler: list),
            Route(.get, Links.seedSession, handler: showSeedForm),
            Route(.post, Links.seedSession, handler: seed),
            Route(.get, Links.signOutAll, handler: confirmSignOutAll),
            Route(.post, Links.signOutAll, handler: signOutAll),
            Route(.get, Links.session, handler: show),
            action(Links.refreshSession) { session, _ in
                _ = try await services.simulator.refresh(session: session.id, in: session.workspace)
            },
            Route(.get, Links.compareTokens, handler: compareTokens),
            .page(Links.signOut, handler: confirmSignOut),
            action(Links.signOut) { session, _ in
                try await services.simulator.signOut(session: session.id, in: session.workspace)
            },
            // The buttons that test a session; each sends real requests.
            action(Links.probeSession, probe),
            action(Links.testConcurrentRefresh) { session, _ in
                _ = try await services.simulator.testConcurrentRefresh(
                    session: session.id, in: session.workspace)
            },
            action(Links.testTokenReuse) { session, context in
                let number = try Self.parseNumber(try Form(context.request)["token"] ?? "", "token")
                _ = try await services.simulator.testTokenReuse(
                    session: session.id, token: number, in: session.workspace)
            },
            action(Links.testDroppedResponse) { session, _ in
                _ = try await services.simulator.testDroppedResponse(
                    session: session.id, in: session.workspace)
            },
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

    @Sendable private func confirmSignOut(_ context: RequestContext) async throws -> Response {
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

    /// A form that acts on a session, and returns to its page.
    private func action(
        _ path: PagePath, _ act: @escaping @Sendable (Session, RequestContext) async throws -> Void
    ) -> Route {
        Route(.post, path) { context in
            let session = try await services.session(of: context)
            try await act(session, context)
            return .redirect(to: Links.session(session.id))
        }
    }

    /// Checks the stored access token at the backend or, with `token`, the archived one with that
    /// number.
    @Sendable private func probe(_ session: Session, _ context: RequestContext) async throws {
        let number = try Form(context.request)["token"]?.nonEmpty.map {
            try Self.parseNumber($0, "token")
        }
        let observation = try await services.sessionSourcesReader.probe(session, token: number)
        guard observation != nil else { throw Problem.probeUnavailable }
    }

    /// Compares two access tokens of the session claim by claim.
    @Sendable private func compareTokens(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["from", "to", "part"])
        let session = try await services.session(of: context)
        let tokens = try await services.comparedTokens(
            of: session, from: query["from"].map { try Self.parseNumber($0, "?from") },
            to: query["to"].map { try Self.parseNumber($0, "?to") })
        let otherPairs = zip(tokens.stored, tokens.stored.dropFirst()).map {
            TextLinkModel(
                name: [$0, $1].map { tokens.generations.name(of: $0).label }.joined(
                    separator: " → "),
                href: Links.tokenComparison(session.id, from: $0.number, to: $1.number))
        }
        let page = Page(
            title: "Compare tokens", navItem: "sessions",
            url: Links.url(
                Links.compareTokens(session.id), [("from", query["from"]), ("to", query["to"])]),
            model: [
                "backURL": Links.session(session.id), "backText": session.userLabel,
                "diff": TokenDiff(
                    before: tokens.before.summary.comparedParts,
                    after: tokens.after.summary.comparedParts
                ).model(before: tokens.before.title, after: tokens.after.title),
                "otherPairs": otherPairs,
            ])
        return try await services.respond(to: context, page, "sessions/tokencomparison")
    }

    private static func parseNumber(_ text: String, _ name: String) throws(Problem) -> Int {
        guard let number = Int(text), number > 0 else {
            throw Problem(
                status: 400, code: "bad-number", title: "Invalid token number",
                detail: "\(name) must be a positive integer.")
        }
        return number
    }
}

/// Two access tokens of a session, and all that are stored.
struct ComparedTokens {
    typealias Token = (summary: Session.TokenSummary, title: String)
    let before: Token
    let after: Token
    let stored: [ArchivedToken]
    let generations: TokenGenerations
}

extension Services {
    /// The access tokens with these numbers; nil is the current one.
    func comparedTokens(of session: Session, from: Int?, to: Int?) async throws -> ComparedTokens {
        let stored = try await simulator.archivedTokens(
            ofSession: session.id, in: session.workspace
        ).filter { $0.kind == .access }
        let generations = try await simulator.tokenGenerations(of: session)
        func token(_ name: String, _ number: Int?) throws -> ComparedTokens.Token {
            if number == nil, let summary = session.accessToken { return (summary, "Current") }
            guard let token = stored.first(where: { $0.number == number }) else {
                throw Problem.unknownToken(name)
            }
            return (token.summary, generations.title(of: token))
        }
        return ComparedTokens(
            before: try token("from", from), after: try token("to", to), stored: stored,
            generations: generations)
    }
}

extension Session.TokenSummary {
    /// The parts that a comparison uses.
    var comparedParts: TokenParts { (header, claims) }
}

extension Problem {
    static var probeUnavailable: Problem {
        Problem(
            status: 409, code: "no-probe", title: "The token cannot be tested",
            detail: "The app has no read-only call with its access token."
                + " Name one in its manifest: session.probe.")
    }

    fileprivate static func unknownToken(_ name: String) -> Problem {
        Problem(
            status: 404, code: "unknown-token", title: "Access token not stored",
            detail: "\(name) matches no stored token of this session.")
    }
}
