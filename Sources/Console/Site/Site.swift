import Core
package import Web

/// The console as a whole: a request comes in, an answer goes out.
///
/// In this order, and nothing acts before the guard has decided: target,
/// route, guard, handler, problem, headers.
package struct Site: Sendable {
    let services: Services
    private let router: Router
    private let accessGuard: Guard
    private let leases: Leases
    private let stateCache: StateCache
    private let sessionChecker: SessionChecker
    private let problemPages: ProblemPages
    private let problemForError: @Sendable (any Error) -> Problem?
    /// The policy of a page that brings none, by the host it is asked for at.
    private let contentPolicies: [String: String]
    /// The same for a host that is not ours.
    private let defaultContentPolicy: String

    /// `explain` puts errors of rooms the console does not know into words;
    /// nil for those that have none for a visitor.
    package init(
        services: Services, publicFolder: String, userApps: String?, key: String?, hosts: [String],
        mac: @escaping @Sendable (String) -> String,
        problemForError: @escaping @Sendable (any Error) -> Problem?
    ) {
        self.services = services
        self.problemForError = problemForError
        let scripts = AssetPages.scripts(in: publicFolder, log: services.world.log)
        let keeper = Guard(
            Guard.Configuration(
                key: key, port: services.port, extraHosts: hosts, mac: mac, world: services.world))
        self.accessGuard = keeper
        contentPolicies = Dictionary(
            uniqueKeysWithValues: keeper.allowedHosts.map {
                ($0, ContentSecurityPolicy.consolePage(at: $0, scripts: scripts))
            })
        defaultContentPolicy = ContentSecurityPolicy.consolePage(at: nil, scripts: scripts)
        let leases = Leases(services: services)
        self.leases = leases
        let stage = StateCache(services: services, leases: leases)
        self.stateCache = stage
        let judge = SignatureVerifier(services: services)
        sessionChecker = SessionChecker(services: services, judge: judge)
        sessionChecker.start()
        let scopeResolver = ScopeResolver(
            simulator: services.simulator, port: services.port, world: services.world,
            deferredDevices: DeferredDevices(mac: mac))
        router = Router(
            Routes.all(
                services, scopeResolver, judge, leases, keeper, stage, publicFolder: publicFolder,
                userApps: userApps))
        problemPages = ProblemPages(services: services, scopeResolver: scopeResolver)
    }

    /// Ends leases when their time is over, those an earlier run of the
    /// process made included; returns when its task is cancelled.
    package func runLeaseExpiry() async { await leases.runExpiry() }

    /// The storyboard's states, one by one.
    package var storyboardCatalog: StoryboardCatalog {
        StoryboardCatalog(services: services, stateCache: stateCache)
    }

    /// Every route, for tests that walk them all.
    package var routes: [Route] { router.routes }

    package var responder: Responder {
        { request in
            var response = await respond(request)
            if !response.isProxied {
                SecurityHeaders.add(to: &response, pagePolicy: contentPolicy(of: request))
            }
            return response
        }
    }

    private func contentPolicy(of request: Request) -> String {
        accessGuard.host(of: request).flatMap { contentPolicies[$0.lowercased()] }
            ?? defaultContentPolicy
    }

    /// What the server refuses by itself, before the guard or anybody else
    /// has seen it: in the asker's words, and with nothing of the console.
    package var rejectionResponder: @Sendable (Problem, Request) -> Response {
        { problem, request in
            var response = problemPages.unauthenticatedResponse(problem, of: request)
            SecurityHeaders.add(to: &response, pagePolicy: contentPolicy(of: request))
            return response
        }
    }

    /// What the body of a request that brings an archive may have; nil for
    /// all others. Asked before the body comes: a large one is held for those
    /// alone who are let in.
    package func fileLimit(_ target: String, _ headers: Headers) throws(Problem) -> Int? {
        guard let limit = ImportPages.fileLimit(target) else { return nil }
        guard accessGuard.isAuthenticated(headers) else { throw .keyRequired }
        return limit
    }

    private func respond(_ request: Request) async -> Response {
        var context: RequestContext?
        do { return try await handle(request, &context) } catch let problem as Problem {
            return await problemPages.respond(problem, to: request, of: context)
        } catch {
            if let problem = problemForError(error) {
                return await problemPages.respond(problem, to: request, of: context)
            }
            let id = services.world.makeID("err")
            services.world.log("\(id): \(request.method.rawValue) failed: \(type(of: error))")
            return await problemPages.respond(.internalError(id), to: request, of: context)
        }
    }

    /// `admitted` is set once the guard has let the request in.
    private func handle(_ request: Request, _ admitted: inout RequestContext?) async throws
        -> Response
    {
        let target = try router.target(of: request.target)
        let cookies = Cookies(request.headers)
        let found = Result { () throws(Problem) in try router.find(request.method, target) }
        let access = (try? found.get())?.route.access
        let decision =
            access == .proxy
            ? try await accessGuard.authorize(request, proxySegment: target.segments[1])
            : try await accessGuard.authorize(
                request, target: target, cookies: cookies, isOpen: access == .open)
        switch decision {
        case .redirected(let response): return response
        case .allowed(let pass, let cookie):
            var context = RequestContext(
                request: request, target: target, cookies: cookies, authentication: pass)
            admitted = context
            let (route, parameters) = try found.get()
            context.parameters = parameters
            var response = try await route.handler(context)
            if let cookie { response.headers.add("Set-Cookie", cookie) }
            return response
        }
    }
}

extension Problem {
    /// Something of ours gave way; the log has the same id.
    fileprivate static func internalError(_ id: String) -> Problem {
        Problem(
            status: 500, code: "broken", title: "Foyer could not answer this",
            detail: """
                Something inside gave way. The log at the terminal has a line \
                with \(id); nothing that was stored is lost.
                """)
    }
}
