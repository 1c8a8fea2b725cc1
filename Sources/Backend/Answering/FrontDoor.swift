import Surroundings
import Web

/// Leads a request to its contract; whatever comes gets an answer.
struct FrontDoor: Sendable {
    let contracts: [Contract]
    /// The contract a path at the root belongs to, by its first segment.
    let natives: [String: String]
    let workspaces: Workspaces
    let premises: Premises
    let trouble: Trouble
    let trails: Trails
    /// Names besides this machine's own, without the port.
    let hosts: Set<String>

    /// Every answer bears an id; of a refusal, what was checked is kept under
    /// it.
    func answer(_ request: Request) async -> Response {
        let id = premises.world.identifier("req")
        let trail = Trail(request: id)
        var response = await Trail.$current.withValue(trail) { await traced(request) }
        response.headers["X-Request-Id"] = id
        if response.status >= 400 { trails.keep(trail.verdict(said: response.said), as: id) }
        return response
    }

    private func traced(_ request: Request) async -> Response {
        var response: Response
        do {
            try checkHost(request)
            do {
                response = await answer(
                    request, to: try Target(parsing: request.target).served(natives))
            } catch { response = refuse(error, request) }
        } catch {
            Trail.blame(Check.blamed(for: error))
            response = error.response
        }
        for (name, value) in Self.headers where response.headers[name] == nil {
            response.headers.add(name, value)
        }
        return response
    }

    /// A page whose own name was made to lead here (DNS rebinding) says that
    /// name. An address in digits cannot be made to lead anywhere else.
    private func checkHost(_ request: Request) throws(Problem) {
        let named = request.headers.all("Host")
        // HTTP/1.0 has none, and no browser speaks it.
        guard let host = named.first?.lowercased() else { return }
        let isLiteral =
            host.utf8.first == UInt8(ascii: "[")
            || !host.isEmpty
                && host.utf8.allSatisfy {
                    $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") || (0x30...0x39).contains($0)
                }
        let name = String(host.prefix { $0 != ":" })
        guard named.count == 1,
            isLiteral || name == "localhost" || name.hasSuffix(".localhost") || hosts.contains(name)
        else {
            throw Problem(
                status: 421, code: "wrong-host", title: "This is not a name of this backend",
                detail: """
                    The Host header must be localhost, an address in digits, \
                    or a name given with --host.
                    """)
        }
        Trail.note(.host, true, host)
    }

    /// On every answer that brought no other.
    private static let headers = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
    ]

    /// A query that cannot be read is refused as the contract of its path would.
    private func refuse(_ error: Problem, _ request: Request) -> Response {
        Trail.blame(Check.blamed(for: error))
        let path = String(request.target.prefix { $0 != "?" })
        guard let target = try? Target(parsing: path).served(natives),
            let contract = contract(of: target)
        else { return error.response }
        return contract.dress(request, contract.failure(error, request))
    }

    private func contract(of target: Target) -> Contract? {
        guard target.segments.count >= 2 else { return nil }
        return contracts.first { $0.id == target.segments[1] }
    }

    private func answer(_ request: Request, to target: Target) async -> Response {
        guard let contract = contract(of: target) else {
            Trail.blame([.route])
            return target.segments.isEmpty ? index : nothing(at: target)
        }
        let response = await answer(request, to: target, from: contract)
        return contract.dress(request, response)
    }

    private func answer(_ request: Request, to target: Target, from contract: Contract) async
        -> Response
    {
        let segments = target.segments
        do {
            guard workspaces.contains(segments[0]) else {
                throw Problem.unknownWorkspace(segments[0])
            }
            Trail.note(.workspace, true, segments[0])
            try await contract.tokens.keyring.whole()
            let (route, parameters) = try contract.router.find(request.method, target)
            Trail.note(
                .route, true,
                "\(request.method.rawValue) /" + segments.dropFirst(2).joined(separator: "/"))
            let visit = Visit(
                request: request, target: target, cookies: Cookies(Headers()), pass: .open,
                parameters: parameters)
            guard let ticket = Ticket(request, trouble) else {
                return try await route.handler(visit)
            }
            return try await Ticket.$current.withValue(ticket) { try await route.handler(visit) }
        } catch {
            // Whatever came of it, its workspace went meanwhile.
            let isGone = !workspaces.contains(segments[0])
            let error = isGone ? Problem.unknownWorkspace(segments[0]) : error
            Trail.blame(contract.blame(error) ?? Check.blamed(for: error))
            let response = contract.failure(error, request)
            if response.status == 500, !(error is any ForeseenError) { log(error, contract) }
            return response
        }
    }

    /// For whoever opens the address in a browser.
    private var index: Response {
        let bases = contracts.map { contract in
            JSON.Member(
                contract.id,
                .string(premises.base(of: Realm(workspace: "main", contract: contract.id))))
        }
        return .json(["name": "Foyer's embedded backend", "contracts": .object(bases)])
    }

    private func nothing(at target: Target) -> Response {
        let known = contracts.map { "/main/\($0.id)" }
        return Problem(
            status: 404, code: "not-found", title: "There is nothing at this address",
            detail: """
                Paths begin with a workspace and a contract; there are \
                \(known.joined(separator: ", ")).
                """
        ).response
    }

    /// Errors hold no bound value, password or token by their own promise.
    private func log(_ error: any Error, _ contract: Contract) {
        premises.world.log("backend: \(contract.id): \(error)")
    }
}

extension Problem {
    static func unknownWorkspace(_ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-workspace", title: "There is no such workspace",
            detail: """
                There is no workspace "\(id.prefix(60))". The one called main \
                is there from the start.
                """)
    }
}
