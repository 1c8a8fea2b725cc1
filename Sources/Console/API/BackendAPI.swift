import Backend
import Web

/// `/api/backend`: what a client of the embedded backend must know, and what
/// can be turned on and off there.
struct BackendAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    /// Every contract with its addresses and switches, and the keys its real
    /// clients ask for.
    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        let known = services.backend.contractInfos(in: workspace)
        return .json([
            "base": .string(services.backendBase),
            "contracts": .object(known.map { .init($0.contractID, Self.json($0)) }),
            "clients": .object(
                known.compactMap { service in
                    service.clientName.map { .init($0, Self.clientConfiguration(of: service)) }
                }),
        ])
    }

    /// Turns switches of one contract, `{"switches": {"name": true}}`; all of
    /// them or, if one is wrong, none.
    @Sendable func update(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        let id = context.parameters["contract"] ?? ""
        guard let service = service(id, in: workspace) else {
            throw Problem(
                status: 404, code: "unknown-contract",
                title: "The embedded backend has no such contract",
                detail: "There is none called \(id.prefix(60)).")
        }
        var body = try BodyReader(context.request)
        let turned = body.flags("switches") ?? [:]
        for name in turned.keys.sorted()
        where !service.switches.contains(where: { $0.name == name }) {
            let names = service.switches.map(\.name).joined(separator: ", ")
            body.addError(
                "switches/\(name)",
                names.isEmpty ? "is unknown; \(id) has none" : "is unknown; \(id) has \(names)")
        }
        try body.finish()
        for (name, isOn) in turned.sorted(by: { $0.key < $1.key }) {
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
