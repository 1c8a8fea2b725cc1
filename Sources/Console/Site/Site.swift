package import BrowserCapture
import Core
import Storyboards
package import Web

/// The console's request handling: turns a request into a response.
///
/// In this order, with no effects before the guard has decided: target, route, guard, handler,
/// problem, headers.
package struct Site: Sendable {
    let services: Services
    private let router: Router
    private let accessGuard: Guard
    private let stateCache: StateCache
    private let problemPages: ProblemPages
    private let problemForError: @Sendable (any Error) -> Problem?
    /// The policy of pages that set none, by requested host.
    private let contentPolicies: [String: String]
    /// The policy for a host that is not allowed.
    private let defaultContentPolicy: String

    /// `browser` takes pictures of the pages at `browserOrigin`; `pictureSets` is the folder of
    /// stored ones. `problemForError` converts errors of modules the console does not import to a `Problem`; nil
    /// for those without a user-facing message.
    package init(
        services: Services, publicFolder: String, userApps: String?, key: String?, hosts: [String],
        browser: SharedBrowser? = nil, browserOrigin: String = "", pictureSets: String? = nil,
        problemForError: @escaping @Sendable (any Error) -> Problem?
    ) {
        self.services = services
        self.problemForError = problemForError
        let scripts = AssetPages.scripts(in: publicFolder, log: services.world.log)
        let accessGuard = Guard(
            key: key, port: services.port, extraHosts: hosts, mac: services.mac,
            world: services.world)
        self.accessGuard = accessGuard
        contentPolicies = Dictionary(
            uniqueKeysWithValues: accessGuard.allowedHosts.map {
                (
                    $0,
                    // A phone's frame shows pages that the app's browser opens.
                    ContentSecurityPolicy.consolePage(
                        at: $0, scripts: scripts, frames: [services.backendBase])
                )
            })
        defaultContentPolicy = ContentSecurityPolicy.consolePage(at: nil, scripts: scripts)
        let stateCache = StateCache(
            simulator: services.simulator, backend: services.backend, faults: services.faults,
            leases: services.leases, world: services.world)
        self.stateCache = stateCache
        pictures = PictureTaker(
            catalog: StoryboardCatalog(services: services, stateCache: stateCache),
            browser: browser ?? SharedBrowser(.none, world: services.world), origin: browserOrigin,
            setsFolder: pictureSets,
            assets: AssetPages(
                services: services, publicFolder: publicFolder, userApps: userApps),
            problemForError: problemForError, jobs: PictureJobs())
        router = Router(
            Routes.all(
                services, accessGuard, stateCache, pictures, publicFolder: publicFolder,
                userApps: userApps))
        problemPages = ProblemPages(services: services)
    }

    /// Takes pictures of the storyboard's states.
    package let pictures: PictureTaker

    /// All routes, for tests that visit each of them.
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

    /// The response to a request that the server rejects before the guard has checked it: in the
    /// format the client accepts, and without any console content.
    package var rejectionResponder: @Sendable (Problem, Request) -> Response {
        { problem, request in
            var response = problemPages.unauthenticatedResponse(problem, of: request)
            SecurityHeaders.add(to: &response, pagePolicy: contentPolicy(of: request))
            return response
        }
    }

    /// The body limit of an archive upload; nil for other requests. Called before the body is
    /// received, because a large one is buffered only for authenticated clients.
    package func fileLimit(_ target: String, _ headers: Headers) throws(Problem) -> Int? {
        guard let limit = ImportPages.fileLimit(target) ?? RulesPages.fileLimit(target) else {
            return nil
        }
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

    /// `admitted` is set once the guard has allowed the request.
    private func handle(_ request: Request, _ admitted: inout RequestContext?) async throws
        -> Response
    {
        let target = try router.target(of: request.target)
        let cookies = Cookies(request.headers)
        let match = Result { () throws(Problem) in try router.find(request.method, target) }
        let access = (try? match.get())?.route.access
        let decision =
            access == .proxy
            ? try await accessGuard.authorize(request, proxySegment: target.segments[1])
            : try await accessGuard.authorize(
                request, target: target, cookies: cookies, isOpen: access == .open)
        switch decision {
        case .redirected(let response): return response
        case .allowed(let authentication, let cookie):
            var context = RequestContext(
                request: request, target: target, cookies: cookies, authentication: authentication)
            admitted = context
            let (route, parameters) = try match.get()
            context.parameters = parameters
            var response = try await route.handler(context)
            if let cookie { response.headers.add("Set-Cookie", cookie) }
            return response
        }
    }
}

extension Problem {
    /// An unexpected error; the log has the same id.
    fileprivate static func internalError(_ id: String) -> Problem {
        Problem(
            status: 500, code: "broken", title: "Internal error",
            detail: "The terminal output has a log line with \(id).")
    }
}
