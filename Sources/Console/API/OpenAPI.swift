import Web

/// `/api/openapi.json`: OpenAPI 3.1, generated from the routes so that it matches them.
enum OpenAPI {
    static func route(describing routes: [Route], version: String) -> Route {
        let description = document(routes, version: version).bytes
        return Route(.get, "/api/openapi.json") { _ in
            Response(
                status: 200, headers: ["Content-Type": "application/json"],
                body: .bytes(description))
        }
    }

    static func document(_ routes: [Route], version: String) -> JSON {
        var paths: [(pattern: String, members: [JSON.Member])] = []
        for route in routes {
            guard let operation = route.operation else { continue }
            let member = JSON.Member(
                route.method.rawValue.lowercased(), operationJSON(operation, of: route))
            if let index = paths.firstIndex(where: { $0.pattern == route.pattern }) {
                paths[index].members.append(member)
            } else {
                paths.append((route.pattern, [member]))
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
            ],
            "servers": [["url": "/"]],
            "security": [["key": []]],
            "paths": .object(
                paths.map { .init($0.pattern, .object($0.members)) }),
            "components": [
                "securitySchemes": ["key": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(Schema.components.map { .init($0.0, $0.1) }),
            ],
        ]
    }

    private static func operationJSON(_ operation: Operation, of route: Route) -> JSON {
        var members: [JSON.Member] = [
            .init("operationId", .string(operation.id)),
            .init("summary", .string(operation.summary)),
        ]
        if route.access == .open { members.append(.init("security", [])) }
        var parameters = pathParameters(route)
        parameters += operation.query.map { queryParameter($0) }
        if route.access != .open { parameters += headerParameters }
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
        if let body = operation.body {
            members.append(
                .init(
                    "requestBody",
                    [
                        "required": .bool(operation.isBodyRequired),
                        "content": ["application/json": ["schema": body]],
                    ]))
        }
        members.append(
            .init(
                "responses",
                .object(
                    operation.responses.map { response($0) } + [.init("default", defaultResponse)]))
        )
        return .object(members)
    }

    private static func pathParameters(_ route: Route) -> [JSON] {
        route.pattern.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            [
                "name": .string(String($0.dropFirst().dropLast())), "in": "path", "required": true,
                "schema": Schema.string,
            ]
        }
    }

    private static func queryParameter(_ parameter: Operation.Parameter) -> JSON {
        [
            "name": .string(parameter.name), "in": "query",
            "description": .string(parameter.description),
            "schema": parameter.schema,
        ]
    }

    private static let headerParameters: [JSON] = [
        [
            "name": "X-Foyer-Workspace", "in": "header",
            "description": "The workspace; main by default.", "schema": Schema.string,
        ],
        [
            "name": "X-Foyer-Device", "in": "header",
            "description": "The device, if no cookie is sent.", "schema": Schema.string,
        ],
    ]

    private static func response(_ spec: Operation.ResponseSpec) -> JSON.Member {
        var members: [JSON.Member] = [.init("description", .string(spec.description))]
        if let type = spec.mediaType {
            var schema: JSON? = spec.schema
            if schema == nil, type.hasSuffix("problem+json") {
                schema = Schema.reference("Problem")
            }
            members.append(
                .init(
                    "content",
                    .object(
                        [.init(type, .object(schema.map { [.init("schema", $0)] } ?? []))]
                            + spec.plainTextMediaTypes.map {
                                .init($0, ["schema": Schema.string])
                            })))
        }
        return .init(String(spec.status), .object(members))
    }

    private static let defaultResponse: JSON = [
        "description": "Error.",
        "content": ["application/problem+json": ["schema": Schema.reference("Problem")]],
    ]
}
