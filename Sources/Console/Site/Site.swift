import Surroundings
package import Web

/// The console as a whole: a request comes in, an answer goes out.
///
/// In this order, and nothing acts before the guard has decided: target,
/// route, guard, handler, problem, headers.
package struct Site: Sendable {
    let services: Services
    private let router: Router
    private let keeper: Guard
    private let leases: Leases
    private let stage: Stage
    private let checker: SessionChecker
    private let pages: ProblemPages
    private let explain: @Sendable (any Error) -> Problem?
    /// The policy of a page that brings none, by the host it is asked for at.
    private let policies: [String: String]
    /// The same for a host that is not ours.
    private let strangersPolicy: String

    /// `explain` puts errors of rooms the console does not know into words;
    /// nil for those that have none for a visitor.
    package init(
        services: Services, publicFolder: String, userApps: String?, key: String?, hosts: [String],
        mac: @escaping @Sendable (String) -> String,
        explain: @escaping @Sendable (any Error) -> Problem?
    ) {
        self.services = services
        self.explain = explain
        let scripts = AssetPages.scripts(in: publicFolder, log: services.world.log)
        let keeper = Guard(
            Guard.Configuration(
                key: key, port: services.port, hosts: hosts, mac: mac, world: services.world))
        self.keeper = keeper
        policies = Dictionary(
            uniqueKeysWithValues: keeper.hosts.map {
                ($0, ContentPolicy.console(at: $0, scripts: scripts))
            })
        strangersPolicy = ContentPolicy.console(at: nil, scripts: scripts)
        let leases = Leases(services: services)
        self.leases = leases
        let stage = Stage(services: services, leases: leases)
        self.stage = stage
        let judge = SignatureJudge(services: services)
        checker = SessionChecker(services: services, judge: judge)
        checker.begin()
        let visitors = Visitors(
            simulator: services.simulator, port: services.port, world: services.world,
            promises: DevicePromises(mac: mac))
        router = Router(
            Routes.all(
                services, visitors, judge, leases, keeper, stage, publicFolder: publicFolder,
                userApps: userApps))
        pages = ProblemPages(services: services, visitors: visitors)
    }

    /// Ends leases when their time is over, those an earlier run of the
    /// process made included; returns when its task is cancelled.
    package func keepLeases() async { await leases.keep() }

    /// The storyboard's states, one by one.
    package var gallery: Gallery { Gallery(services: services, stage: stage) }

    /// Every route, for tests that walk them all.
    package var routes: [Route] { router.routes }

    package var responder: Responder {
        { request in
            var response = await respond(request)
            if !response.isRelayed { SecurityHeaders.add(to: &response, page: policy(of: request)) }
            return response
        }
    }

    private func policy(of request: Request) -> String {
        keeper.host(of: request).flatMap { policies[$0.lowercased()] } ?? strangersPolicy
    }

    /// What the server refuses by itself, before the guard or anybody else
    /// has seen it: in the asker's words, and with nothing of the console.
    package var refuse: @Sendable (Problem, Request) -> Response {
        { problem, request in
            var response = pages.refusal(problem, of: request)
            SecurityHeaders.add(to: &response, page: policy(of: request))
            return response
        }
    }

    /// What the body of a request that brings an archive may have; nil for
    /// all others. Asked before the body comes: a large one is held for those
    /// alone who are let in.
    package func fileLimit(_ target: String, _ headers: Headers) throws(Problem) -> Int? {
        guard let limit = ImportPages.fileLimit(target) else { return nil }
        guard keeper.knows(headers) else { throw .keyNeeded }
        return limit
    }

    private func respond(_ request: Request) async -> Response {
        var visit: Visit?
        do { return try await handle(request, &visit) } catch let problem as Problem {
            return await pages.answer(problem, to: request, of: visit)
        } catch {
            if let problem = explain(error) {
                return await pages.answer(problem, to: request, of: visit)
            }
            let id = services.world.identifier("err")
            services.world.log("\(id): \(request.method.rawValue) failed: \(type(of: error))")
            return await pages.answer(.broken(id), to: request, of: visit)
        }
    }

    /// `admitted` is set once the guard has let the request in.
    private func handle(_ request: Request, _ admitted: inout Visit?) async throws -> Response {
        let target = try router.target(of: request.target)
        let cookies = Cookies(request.headers)
        let found = Result { () throws(Problem) in try router.find(request.method, target) }
        let access = (try? found.get())?.route.access
        let decision =
            access == .through
            ? try await keeper.decide(request, through: target.segments[1])
            : try await keeper.decide(
                request, target: target, cookies: cookies, open: access == .open)
        switch decision {
        case .answered(let response): return response
        case .admitted(let pass, let cookie):
            var visit = Visit(request: request, target: target, cookies: cookies, pass: pass)
            admitted = visit
            let (route, parameters) = try found.get()
            visit.parameters = parameters
            var response = try await route.handler(visit)
            if let cookie { response.headers.add("Set-Cookie", cookie) }
            return response
        }
    }
}

extension Problem {
    /// Something of ours gave way; the log has the same id.
    fileprivate static func broken(_ id: String) -> Problem {
        Problem(
            status: 500, code: "broken", title: "Foyer could not answer this",
            detail: """
                Something inside gave way. The log at the terminal has a line \
                with \(id); nothing that was stored is lost.
                """)
    }
}
