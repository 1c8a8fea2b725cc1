import Web

/// `/api/openapi.json`: OpenAPI 3.1, generated from the endpoints.
enum OpenAPI {
    static func route(describing endpoints: [Endpoint], version: String) -> Route {
        let response = Response.plainJSON(document(endpoints, version: version))
        return Route(.get, "/api/openapi.json") { _ in response }
    }

    static func document(_ endpoints: [Endpoint], version: String) -> JSON {
        var paths: [JSON.Member] = []
        var schemas: [JSON.Member] = [.init("Problem", problem)]
        for endpoint in endpoints {
            let member = JSON.Member(endpoint.method.rawValue.lowercased(), operation(endpoint))
            if let index = paths.firstIndex(where: { $0.name == endpoint.path }),
                case .object(let members) = paths[index].value
            {
                paths[index].value = .object(members + [member])
            } else {
                paths.append(.init(endpoint.path, .object([member])))
            }
            for component in endpoint.success.components
            where !schemas.contains(where: { $0.name == component.name }) {
                schemas.append(component)
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Foyer", "version": .string(version),
                "description": """
                Foyer runs the sign-in flows of mobile apps locally: devices, \
                sessions, recorded requests and mail.
                """,
            ], "servers": [["url": "/"]], "security": [["key": []]], "paths": .object(paths),
            "components": [
                "securitySchemes": ["key": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(schemas),
            ],
        ]
    }

    private static func operation(_ endpoint: Endpoint) -> JSON {
        var parameters = endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            parameter(String($0.dropFirst().dropLast()), in: "path", Schema.string)
        }
        parameters += endpoint.query.map {
            parameter($0.name, in: "query", $0.schema, $0.description)
        }
        if endpoint.access != .open { parameters += headerParameters }
        let requestBody = endpoint.body.map { body -> JSON in
            [
                "required": .bool(!endpoint.isBodyOptional),
                "content": ["application/json": ["schema": body]],
            ]
        }
        let responses =
            [
                JSON.Member(
                    String(endpoint.success.status),
                    response(endpoint.success.description, endpoint.success.content))
            ] + endpoint.errors.map { .init(String($0.key), response($0.value, problemContent)) }
            + [.init("default", response("Error.", problemContent))]
        return .omittingNil([
            "operationId": .string(endpoint.id), "summary": .string(endpoint.summary),
            "security": endpoint.access == .open ? [] : nil,
            "parameters": parameters.isEmpty ? nil : .array(parameters),
            "requestBody": requestBody, "responses": .object(responses),
        ])
    }

    private static func parameter(
        _ name: String, in location: String, _ schema: JSON, _ description: String? = nil
    ) -> JSON {
        .omittingNil([
            "name": .string(name), "in": .string(location),
            "required": location == "path" ? true : nil,
            "description": description.map(JSON.string), "schema": schema,
        ])
    }

    private static let headerParameters: [JSON] = [
        parameter(
            "X-Foyer-Workspace", in: "header", Schema.string, "The workspace; main by default."),
        parameter(
            "X-Foyer-Device", in: "header", Schema.string, "The device, if no cookie is sent."),
    ]

    private static func response(_ description: String, _ content: [JSON.Member]) -> JSON {
        .omittingNil([
            "description": .string(description),
            "content": content.isEmpty ? nil : .object(content),
        ])
    }

    private static let problemContent: [JSON.Member] = [
        .init("application/problem+json", ["schema": Schema.reference("Problem")])
    ]

    private static let problem = Schema.object(
        [
            .init("type", Schema.string), .init("title", Schema.string),
            .init("status", Schema.integer), .init("detail", Schema.string),
            .init(
                "errors",
                Schema.array(
                    Schema.object([.init("pointer", Schema.string), .init("detail", Schema.string)])
                )),
        ], required: ["type", "title", "status", "detail"])
}
