import Core
import Web

/// Dispatches a request to its contract. Malformed input gets an error response.
struct BackendDispatcher: Sendable {
    /// Each contract with the router of its routes.
    let servers: [Server]
    let workspaces: BackendWorkspaces
    let context: ContractContext
    let faultHooks: FaultHooks
    let checkResults: SharedCache<String, [CheckResult]>
    /// Host names accepted besides the local ones, without the port.
    let allowedHosts: Set<String>

    typealias Server = (contract: any Contract, router: Router)

    /// Gives every response an id; for a rejection, stores the check results under it.
    func dispatch(_ request: Request) async -> Response {
        let id = context.world.makeID("req")
        let trace = CheckTrace(requestID: id)
        var response = await CheckTrace.$current.withValue(trace) { await dispatchTraced(request) }
        response.headers["X-Request-Id"] = id
        if response.status >= 400 {
            checkResults[id] = trace.results(errorMessage: response.errorMessage)
        }
        return response
    }

    private func dispatchTraced(_ request: Request) async -> Response {
        var response: Response
        do {
            try checkHost(request)
            do {
                response = await dispatch(
                    request, to: resolvingRootPath(of: try RequestTarget(parsing: request.target)))
            } catch { response = makeFailureResponse(error, request) }
        } catch {
            CheckTrace.setFailureCandidates(RequestCheck.failedChecks(for: error))
            response = error.response
        }
        for (name, value) in Self.defaultHeaders where response.headers[name] == nil {
            response.headers.add(name, value)
        }
        return response
    }

    /// Rejects other host names, against DNS rebinding: a page whose name was made to resolve to
    /// this machine sends that name. A literal IP address cannot be rebound.
    private func checkHost(_ request: Request) throws(Problem) {
        let hostHeaders = request.headers.all("Host")
        // HTTP/1.0 requests have no Host header, and no browser sends HTTP/1.0.
        guard let host = hostHeaders.first?.lowercased() else { return }
        let isLiteral =
            host.utf8.first == UInt8(ascii: "[")
            || !host.isEmpty
                && host.utf8.allSatisfy {
                    $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") || $0.isDigit
                }
        let name = String(host.prefix { $0 != ":" })
        guard hostHeaders.count == 1,
            isLiteral || name == "localhost" || name.hasSuffix(".localhost")
                || allowedHosts.contains(name)
        else {
            throw Problem(
                status: 421, code: "wrong-host", title: "Invalid Host header",
                detail: "The Host header must be localhost, an IP address, "
                    + "or a name given with --host.")
        }
        CheckTrace.record(.host, true, host)
    }

    /// Added to every response that does not set them itself.
    private static let defaultHeaders = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]

    /// Rejects an unparsable query in the error format of its path's contract.
    private func makeFailureResponse(_ error: Problem, _ request: Request) -> Response {
        CheckTrace.setFailureCandidates(RequestCheck.failedChecks(for: error))
        let path = String(request.target.prefix { $0 != "?" })
        guard let target = try? RequestTarget(parsing: path),
            let contract = server(of: resolvingRootPath(of: target))?.contract
        else { return error.response }
        return contract.finalize(contract.makeFailureResponse(error, to: request), for: request)
    }

    /// The response to a request that the server rejects before it is read. A body that is too
    /// large is reported in the error format of its path's contract.
    func makeRejectionResponse(_ problem: Problem, _ request: Request) -> Response {
        guard problem.status == 413 else { return problem.response }
        var response = makeFailureResponse(problem, request)
        response.headers["Connection"] = problem.headers["Connection"]
        return response
    }

    /// Resolves a path at the root to its contract: `/auth/v1/user` is `/main/atlas/auth/v1/user`
    /// if `auth` is a root path of atlas.
    private func resolvingRootPath(of target: RequestTarget) -> RequestTarget {
        guard let first = target.segments.first,
            let server = servers.first(where: { type(of: $0.contract).rootPaths.contains(first) })
        else { return target }
        return target.prefixed([BackendWorkspaces.mainID, server.contract.id])
    }

    private func server(of target: RequestTarget) -> Server? {
        guard target.segments.count >= 2 else { return nil }
        return servers.first { $0.contract.id == target.segments[1] }
    }

    private func dispatch(_ request: Request, to target: RequestTarget) async -> Response {
        guard let server = server(of: target) else {
            CheckTrace.setFailureCandidates([.route])
            guard target.segments.isEmpty else { return notFound }
            return servers.reduce(index) { response, server in
                // Its clients ask at the root whether the server runs.
                type(of: server.contract).rootIndex.isEmpty
                    ? response : server.contract.finalize(response, for: request)
            }
        }
        let response = await dispatch(request, to: target, from: server)
        return server.contract.finalize(response, for: request)
    }

    private func dispatch(_ request: Request, to target: RequestTarget, from server: Server) async
        -> Response
    {
        let segments = target.segments
        let contract = server.contract
        do {
            guard workspaces.contains(segments[0]) else {
                throw Problem.unknownWorkspace(segments[0])
            }
            CheckTrace.record(.workspace, true, segments[0])
            try await contract.accessTokens.keyring.waitUntilComplete()
            let (route, parameters) = try server.router.find(request.method, target)
            CheckTrace.record(
                .route, true,
                "\(request.method.rawValue) /" + segments.dropFirst(2).joined(separator: "/"))
            let context = RequestContext(
                request: request, target: target, cookies: Cookies(Headers()),
                authentication: .notRequired, parameters: parameters)
            guard let ticket = FaultTicket(request, faultHooks) else {
                return try await route.handler(context)
            }
            return try await FaultTicket.$current.withValue(ticket) {
                try await route.handler(context)
            }
        } catch {
            // If the workspace was deleted meanwhile, that is the actual cause.
            let isGone = !workspaces.contains(segments[0])
            let error = isGone ? Problem.unknownWorkspace(segments[0]) : error
            CheckTrace.setFailureCandidates(RequestCheck.failedChecks(for: error))
            let response = contract.makeFailureResponse(error, to: request)
            if response.status == 500, !(error is any ExpectedError) {
                // The errors are required to contain no bound value, password or token.
                context.world.log("backend: \(contract.id): \(error)")
            }
            return response
        }
    }

    /// Shown when the base address is opened in a browser.
    private var index: Response {
        let baseURLs = servers.map { server in
            let realm = Realm(workspace: "main", contract: server.contract.id)
            return JSON.Member(realm.contract, .string(context.baseURL(of: realm)))
        }
        return .json(
            .object(
                [
                    .init("name", "Foyer's embedded backend"),
                    .init("contracts", .object(baseURLs)),
                ] + servers.flatMap { type(of: $0.contract).rootIndex }))
    }

    private var notFound: Response {
        let paths = servers.map { "/main/\($0.contract.id)" }.joined(separator: ", ")
        return Problem(
            status: 404, code: "not-found", title: "Not found",
            detail: "Paths begin with a workspace and a contract: \(paths)."
        ).response
    }
}

extension Problem {
    static func unknownWorkspace(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-workspace", title: "Unknown workspace",
            detail: "There is no workspace \"\(id.prefix(60))\". The one called main is there "
                + "from the start.")
    }
}
