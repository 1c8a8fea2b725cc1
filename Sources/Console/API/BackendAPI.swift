import Backend
import Web

/// `/api/backend`: connection settings for clients of the embedded backend, and its switches.
enum BackendAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/backend", "readBackend",
            "Returns the settings for clients of the embedded backend, URLs and keys, and for "
                + "real backends that send mail by SMTP.",
            returning: .ok(settings, "The settings of all contracts.")
        ) { call in
            let workspace = try call.workspace
            return (
                call.services.backendBase, call.services.backend.contractInfos(in: workspace),
                call.services.smtpPort.map { (Int($0), workspace) }
            )
        },

        // If a name is unknown, no switch is set.
        Endpoint(
            .patch, "/api/backend/{contract}", "updateBackend", "Sets switches of a contract.",
            reading: readSwitches,
            returning: .ok(ContractInfo.representation, "The updated contract.")
        ) { call, switches in
            let workspace = try call.workspace
            let id = try contract(call).contractID
            for (name, isOn) in switches.sorted(by: { $0.key < $1.key }) {
                _ = try await call.services.backend.setSwitch(
                    name, isOn: isOn, of: id, in: workspace)
            }
            return try contract(call)
        },
    ]

    private static func contract(_ call: APICall) throws(Problem) -> ContractInfo {
        let id = call.path("contract")
        let contracts = call.services.backend.contractInfos(in: try call.workspace)
        guard let contract = contracts.first(where: { $0.contractID == id }) else {
            throw Problem(
                status: 404, code: "unknown-contract", title: "Unknown contract",
                detail: "The embedded backend has no contract \(id.prefix(60)).")
        }
        return contract
    }

    @Sendable private static func readSwitches(_ parameters: inout ParameterReader)
        -> [String: Bool]
    {
        let switches = parameters.body.flags("switches") ?? [:]
        // The handler throws if the path or the header names none.
        guard let contract = parameters.call.flatMap({ try? contract($0) }) else { return switches }
        let valid = contract.switches.map(\.name)
        for name in switches.keys.sorted() where !valid.contains(name) {
            parameters.body.addError(
                "switches/\(name)",
                valid.isEmpty
                    ? "is unknown; \(contract.contractID) has no switches"
                    : "is unknown; valid switches: \(valid.joined(separator: ", "))")
        }
        return switches
    }

    /// The password is any: the user name selects the workspace and is no secret.
    private static let smtp = Representation<(port: Int, workspace: String)>(
        "SMTPSettings",
        [
            .init("host") { _ in "127.0.0.1" }, .init("port") { $0.port },
            .init("user") { $0.workspace }, .init("tls") { _ in false },
        ])

    private static let settings = Representation<
        (base: String, contracts: [ContractInfo], smtp: (port: Int, workspace: String)?)
    >(
        "BackendSettings",
        [
            .init("base") { $0.base }, .init("smtp", optional: smtp) { $0.smtp },
            .init("contracts", map: ContractInfo.representation) {
                $0.contracts.map { ($0.contractID, $0) }
            },
            .init("clients", schema: Schema.map(Schema.map(Schema.string))) {
                .object(
                    $0.contracts.compactMap { contract in
                        contract.clientName.map { name in
                            .init(
                                name,
                                .object(
                                    contract.clientSettings.map {
                                        .init($0.name, .string($0.value))
                                    }))
                        }
                    })
            },
        ])
}

extension ContractInfo {
    fileprivate static let representation = Representation<Self>(
        "Service",
        [
            .init("base") { $0.baseURL }, .init("root") { $0.rootURL },
            .init(
                "switches",
                map: Representation([.init("on") { $0.isOn }, .init("text") { $0.text }])
            ) {
                $0.switches.map { ($0.name, $0) }
            },
            .init(
                "endpoints",
                array: Representation(
                    "ContractEndpoint",
                    [
                        .init("method") { $0.method.rawValue }, .init("path") { $0.path },
                        .init("state", choice: { $0.state }), .init("note") { $0.note },
                    ])
            ) { $0.endpoints },
            .init(
                "snippets",
                array: Representation(
                    "ClientSnippet", [.init("client") { $0.client }, .init("code") { $0.code }])
            ) { $0.clientSnippets },
        ])
}
