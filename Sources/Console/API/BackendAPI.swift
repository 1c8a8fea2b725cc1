import Backend
import Web

/// `/api/backend`: connection settings for clients of the embedded backend, and its switches.
struct BackendAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    /// Lists the contracts with their URLs and switches, and the keys that the apps' real clients
    /// need.
    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        let contracts = services.backend.contractInfos(in: workspace)
        return .json([
            "base": .string(services.backendBase),
            "contracts": .object(contracts.map { .init($0.contractID, Self.json($0)) }),
            "clients": .object(
                contracts.compactMap { service in
                    service.clientName.map { .init($0, Self.clientConfiguration(of: service)) }
                }),
        ])
    }

    /// Sets switches of one contract, `{"switches": {"name": true}}`. If a name is unknown, none is
    /// set.
    @Sendable func update(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        let id = context.parameters["contract"] ?? ""
        guard let service = service(id, in: workspace) else {
            throw Problem(
                status: 404, code: "unknown-contract",
                title: "Unknown contract",
                detail: "The embedded backend has no contract \(id.prefix(60)).")
        }
        var body = try BodyReader(context.request)
        let switches = body.flags("switches") ?? [:]
        for name in switches.keys.sorted()
        where !service.switches.contains(where: { $0.name == name }) {
            let names = service.switches.map(\.name).joined(separator: ", ")
            body.addError(
                "switches/\(name)",
                names.isEmpty
                    ? "is unknown; \(id) has no switches" : "is unknown; valid switches: \(names)")
        }
        try body.finish()
        for (name, isOn) in switches.sorted(by: { $0.key < $1.key }) {
            _ = try await services.backend.setSwitch(name, isOn: isOn, of: id, in: workspace)
        }
        return .json(self.service(id, in: workspace).map(Self.json) ?? .null)
    }

    private func service(_ id: String, in workspace: String) -> ContractInfo? {
        services.backend.contractInfos(in: workspace).first { $0.contractID == id }
    }

    private static func clientConfiguration(of service: ContractInfo) -> JSON {
        .object(service.clientSettings.map { .init($0.name, .string($0.value)) })
    }

    private static func json(_ service: ContractInfo) -> JSON {
        [
            "base": .string(service.baseURL), "root": JSON(service.rootURL),
            "switches": .object(
                service.switches.map {
                    .init($0.name, ["on": .bool($0.isOn), "text": .string($0.text)])
                }),
        ]
    }
}
