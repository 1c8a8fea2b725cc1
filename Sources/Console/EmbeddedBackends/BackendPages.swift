import Apps
import Backend
import Core
import Templates
import Web

/// `/backend` and `/backend/{contract}`: how clients are pointed at the embedded backend, what it
/// has of each server, and its switches.
struct BackendPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            .page(Links.backends, handler: list), .page(Links.backend, handler: show),
            Route(.post, Links.backendSwitch, handler: setSwitch),
            Route(.get, Links.backendOpenAPI, handler: openAPI),
        ]
    }

    @Sendable private func list(_ context: RequestContext) async throws -> Response {
        let contracts = services.backend.contractInfos(in: try services.workspace(of: context))
        let page = Page(
            title: "Embedded backend", navItem: "accounts", url: Links.backends,
            model: ["contracts": contracts.map(summary)])
        return try await services.respond(to: context, page, "backend/backends")
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let contract = try contract(context)
        let page = Page(
            title: name(contract), navItem: "accounts", url: Links.backend(contract.contractID),
            model: model(contract))
        return try await services.respond(
            to: context, page, "backend/backend", parts: ["switches": "backend/switches"])
    }

    /// A document for tools that generate requests to the backend.
    @Sendable private func openAPI(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let contract = try contract(context)
        let document = services.backend.openAPI(
            of: contract.contractID, in: try services.workspace(of: context))
        return .plainJSON(document ?? .null)
    }

    @Sendable private func setSwitch(_ context: RequestContext) async throws -> Response {
        let contract = try contract(context)
        let form = try Form(context.request)
        let name = context.parameters["name"] ?? ""
        let isKnown = try await services.backend.setSwitch(
            name, isOn: form.choice("on", of: ["true", "false"]) == "true",
            of: contract.contractID, in: try services.workspace(of: context))
        guard isKnown else {
            throw Problem.unknown("switch", "The contract has no switch \(name.prefix(40)).")
        }
        return .redirect(to: Links.backend(contract.contractID))
    }

    private func contract(_ context: RequestContext) throws -> ContractInfo {
        let id = context.parameters["contract"] ?? ""
        let contracts = services.backend.contractInfos(in: try services.workspace(of: context))
        guard let contract = contracts.first(where: { $0.contractID == id }) else {
            throw Problem.unknown(
                "contract", "The embedded backend has no contract \(id.prefix(40)).")
        }
        return contract
    }

    // MARK: Models

    /// The app of the contract, and the service whose clients it serves.
    private func name(_ contract: ContractInfo) -> String {
        services.appCatalog.app(withContract: contract.contractID)?.name ?? contract.contractID
    }

    private func summary(_ contract: ContractInfo) -> TemplateModel {
        let missing = contract.endpoints.count { $0.state == .missing }
        let app = services.appCatalog.app(withContract: contract.contractID)
        return [
            "id": contract.contractID, "href": Links.backend(contract.contractID),
            "glyph": GlyphModel(app, id: contract.contractID), "name": name(contract),
            "service": contract.clientName?.capitalizedFirst, "base": contract.baseURL,
            "endpointsText": Format.count(contract.endpoints.count - missing, "endpoint")
                + (missing == 0 ? "" : ", \(missing) missing"),
        ]
    }

    private func model(_ contract: ContractInfo) -> TemplateModel {
        var addresses = [("Base URL", contract.baseURL)]
        if let root = contract.rootURL,
            !contract.clientSettings.contains(where: { $0.value == root })
        {
            addresses.append(("At the root", root))
        }
        let states = ContractEndpoint.State.allCases.compactMap { state -> String? in
            let count = contract.endpoints.count { $0.state == state }
            return count == 0 ? nil : "\(count) \(state.rawValue)"
        }
        return [
            "id": contract.contractID, "name": name(contract),
            "glyph": GlyphModel(
                services.appCatalog.app(withContract: contract.contractID),
                id: contract.contractID),
            "service": contract.clientName?.capitalizedFirst,
            "addresses": addresses.map { DetailModel($0, $1, isCode: true) },
            "settings": contract.clientSettings.map {
                DetailModel($0.name, $0.value, isCode: true)
            },
            "switches": contract.switches.map { item -> TemplateModel in
                [
                    "name": item.name, "text": item.text, "isOn": item.isOn,
                    "action": Links.backendSwitch(contract.contractID, item.name),
                ]
            },
            "endpoints": contract.endpoints.map { endpoint -> TemplateModel in
                [
                    "method": endpoint.method.rawValue, "path": endpoint.path,
                    "note": endpoint.note.isEmpty ? nil : endpoint.note,
                    "state": endpoint.state.rawValue.capitalizedFirst,
                    "tone": endpoint.state.tone.dot,
                ]
            },
            "endpointsText": states.joined(separator: ", "),
            "snippets": contract.clientSnippets.map { ["client": $0.client, "code": $0.code] },
            "openAPIURL": Links.backendOpenAPI(contract.contractID),
            "accountsURL": Links.url(Links.accounts, [("app", contract.contractID)]),
        ]
    }
}

extension ContractEndpoint.State {
    fileprivate var tone: ChipModel.Tone {
        switch self {
        case .complete: .ok
        case .partial: .warn
        case .missing: .neutral
        }
    }
}
