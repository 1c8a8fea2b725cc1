package import Web

/// Describes a contract's requests as an OpenAPI 3.1 document, for tools that generate requests.
///
/// Its responses are those of the real server, whose own documentation describes them.
struct ContractOpenAPI {
    let contract: any Contract.Type
    /// The base address, to which the paths are relative.
    let baseURL: String
    let endpoints: [ContractEndpoint]
    /// Headers that every request needs, such as a key.
    let headers: [String]

    var document: JSON {
        var paths: [JSON.Member] = []
        for endpoint in endpoints where endpoint.state != .missing {
            let member = JSON.Member(endpoint.method.rawValue.lowercased(), operation(endpoint))
            if let index = paths.firstIndex(where: { $0.name == endpoint.path }),
                case .object(let members) = paths[index].value
            {
                paths[index].value = .object(members + [member])
            } else {
                paths.append(.init(endpoint.path, .object([member])))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": ["title": .string("Foyer: \(contract.id)"), "version": "1"],
            "servers": [["url": .string(baseURL)]], "paths": .object(paths),
        ]
    }

    private func operation(_ endpoint: ContractEndpoint) -> JSON {
        let names = endpoint.path.split(separator: "{").dropFirst().compactMap {
            $0.split(separator: "}").first.map(String.init)
        }
        let fields = contract.requestFields(of: endpoint.path)
        let parameters =
            names.map { Self.parameter($0, in: "path", ["type": "string"]) }
            + headers.map { Self.parameter($0, in: "header", ["type": "string"]) }
            + fields.filter(\.isInQuery).map { Self.parameter($0.name, in: "query", $0.schema) }
        let members = fields.filter { !$0.isInQuery }
        let hasBody = ![.get, .head, .delete].contains(endpoint.method)
        let body: JSON? =
            hasBody
            ? [
                "content": [
                    "application/json": [
                        "schema": [
                            "type": "object",
                            "properties": .object(members.map { .init($0.name, $0.schema) }),
                        ]
                    ]
                ]
            ] : nil
        return .omittingNil([
            "operationId": .string("\(endpoint.method.rawValue) \(endpoint.path)"),
            "description": endpoint.note.isEmpty ? nil : .string(endpoint.note),
            "parameters": .array(parameters), "requestBody": body,
            "responses": ["default": ["description": "As the real server responds."]],
        ])
    }

    private static func parameter(_ name: String, in place: String, _ schema: JSON) -> JSON {
        [
            "name": .string(name), "in": .string(place), "required": .bool(place == "path"),
            "schema": schema,
        ]
    }
}

extension Contract {
    /// An OpenAPI document of its requests in its workspace.
    package var openAPIDocument: JSON {
        ContractOpenAPI(
            contract: Self.self, baseURL: services.baseURL(of: realm),
            endpoints: Self.endpoints(of: routes), headers: Self.requestHeaders
        ).document
    }
}

/// A field of a request's body or query.
package struct RequestField: Sendable, Equatable {
    let name: String
    let isInQuery: Bool
    /// JSON Schema.
    let schema: JSON

    /// Parses fields separated by blanks: `email`, a text; `data:object`, another type of JSON;
    /// `type:signup|recovery`, one of some texts; with `?` in front in the query.
    package static func parse(_ text: String) -> [RequestField] {
        text.split(separator: " ").map { word in
            let isInQuery = word.hasPrefix("?")
            let halves = word.drop { $0 == "?" }.split(separator: ":", maxSplits: 1)
            let kind = halves.count > 1 ? halves[1] : "string"
            let schema: JSON =
                kind.contains("|")
                ? ["enum": .array(kind.split(separator: "|").map { .string(String($0)) })]
                : ["type": .string(String(kind))]
            return RequestField(name: String(halves[0]), isInQuery: isInQuery, schema: schema)
        }
    }
}
