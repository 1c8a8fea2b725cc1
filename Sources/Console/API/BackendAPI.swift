import Backend
import Web

/// `/api/backend`: what a client of the embedded backend must know, and what
/// can be turned on and off there.
struct BackendAPI: Sendable {
    let services: Services
    let visitors: Visitors

    /// Every contract with its addresses and switches, and the keys its real
    /// clients ask for.
    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try visitors.workspace(of: visit)
        let known = services.backend.services(in: workspace)
        return .json([
            "base": .string(services.backendBase),
            "contracts": .object(known.map { .init($0.contract, Self.json($0)) }),
            "clients": .object(
                known.compactMap { service in
                    service.client.map { .init($0, Self.facts(of: service)) }
                }),
        ])
    }

    /// Turns switches of one contract, `{"switches": {"name": true}}`; all of
    /// them or, if one is wrong, none.
    @Sendable func update(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try visitors.workspace(of: visit)
        let id = visit.parameters["contract"] ?? ""
        guard let service = service(id, in: workspace) else {
            throw Problem(
                status: 404, code: "unknown-contract",
                title: "The embedded backend has no such contract",
                detail: "There is none called \(id.prefix(60)).")
        }
        var body = try BodyReader(visit.request)
        let turned = body.flags("switches") ?? [:]
        for name in turned.keys.sorted()
        where !service.switches.contains(where: { $0.name == name }) {
            let names = service.switches.map(\.name).joined(separator: ", ")
            body.fail(
                "switches/\(name)",
                names.isEmpty ? "is unknown; \(id) has none" : "is unknown; \(id) has \(names)")
        }
        try body.finish()
        for (name, isOn) in turned.sorted(by: { $0.key < $1.key }) {
            _ = try await services.backend.turn(name, on: isOn, of: id, in: workspace)
        }
        return .json(self.service(id, in: workspace).map(Self.json) ?? .null)
    }

    private func service(_ id: String, in workspace: String) -> Service? {
        services.backend.services(in: workspace).first { $0.contract == id }
    }

    private static func facts(of service: Service) -> JSON {
        .object(service.facts.map { .init($0.name, .string($0.value)) })
    }

    private static func json(_ service: Service) -> JSON {
        [
            "base": .string(service.base), "root": JSON(service.root),
            "switches": .object(
                service.switches.map {
                    .init($0.name, ["on": .bool($0.isOn), "text": .string($0.text)])
                }),
        ]
    }
}
