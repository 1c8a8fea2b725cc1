import Core
import Web

/// `/api/openapi.json`: OpenAPI 3.1, generated from the endpoints.
enum OpenAPI {
    /// Readable without a key: it says nothing about what is stored.
    static func route(describing endpoints: [Endpoint], version: String) -> Route {
        // Created when it is first requested.
        let document = SharedCache<String, [UInt8]>(capacity: 1)
        return Route(.get, "/api/openapi.json", access: .open) { _ in
            let bytes = document.value(for: version) {
                Self.document(endpoints, version: version).bytes
            }
            return Response(
                status: 200, headers: ["Content-Type": "application/json"], body: .bytes(bytes))
        }
    }

    static func document(_ endpoints: [Endpoint], version: String) -> JSON {
        var paths: [JSON.Member] = []
        var schemas: [JSON.Member] = [
            .init("Problem", describeFields(problem, in: ["Problem"]))
        ]
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
                schemas.append(
                    .init(component.name, describeFields(component.value, in: [component.name])))
            }
        }
        return naming([
            "openapi": "3.1.0",
            "info": [
                "title": "Foyer", "version": .string(version),
                "description": """
                Foyer runs the sign-in flows of mobile apps locally: devices, \
                sessions, recorded requests and mail.
                """,
            ], "servers": [["url": "/"]], "security": [["key": []]],
            "externalDocs": ["description": "To read", "url": "/api/docs"],
            "tags": .array(
                APITag.allCases.map {
                    ["name": .string($0.rawValue), "description": .string($0.summary)]
                }), "paths": .object(paths),
            "components": [
                "securitySchemes": ["key": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(schemas),
            ],
        ])
    }

    /// The document with a schema for each enumeration that has a title, in place of the uses.
    private static func naming(_ document: JSON) -> JSON {
        var named: [JSON.Member] = []
        func replacing(_ json: JSON) -> JSON {
            switch json {
            case .array(let elements): return .array(elements.map(replacing))
            case .object(var members):
                guard let title = json["title"]?.string, let values = json["enum"] else {
                    for index in members.indices {
                        members[index].value = replacing(members[index].value)
                    }
                    return .object(members)
                }
                let name = enumerationNames[title] ?? title
                if !named.contains(where: { $0.name == name }) {
                    named.append(.init(name, ["type": "string", "enum": values]))
                }
                members.removeAll { ["title", "type", "enum"].contains($0.name) }
                return .object([.init("$ref", Schema.reference(name)["$ref"] ?? .null)] + members)
            default: return json
            }
        }
        var document = replacing(document)
        document.appendMembers(named, at: ["components", "schemas"])
        return document
    }

    /// The names of enumerations that are not those of their types.
    private static let enumerationNames = [
        "EmbeddedBackendAccountDetailsState": "AccountState",
        "AccountDraftState": "NewAccountState",
        "DeviceBiometricsKind": "BiometricsKind", "DeviceBiometricsResult": "BiometricsResult",
        "DeviceDisplayOrientation": "Orientation", "DeviceDisplayAppearance": "Appearance",
        "DeviceDisplayTextSize": "TextSize", "ExchangeContextCause": "ExchangeCause",
        "RenderStatusKind": "StateResult", "SearchKind": "SearchResultKind",
        "SignatureVerificationStatus": "SignatureStatus", "TokenDiffKind": "TokenDifference",
        "TokenValueKind": "DesignTokenKind", "TrafficRuleKind": "RuleKind",
        "ExchangeDiffKind": "ExchangeDifference", "TokenInspectionExpiry": "TokenExpiry",
    ]

    private static func operation(_ endpoint: Endpoint) -> JSON {
        var parameters = endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            let name = String($0.dropFirst().dropLast())
            return parameter(
                name, in: "path", Schema.string, pathParameters[name]?.text,
                example: pathParameters[name]?.example)
        }
        parameters += endpoint.query.map {
            parameter($0.name, in: "query", $0.schema, $0.description)
        }
        if endpoint.access != .open { parameters += headerParameters }
        let requestBody = endpoint.body.map { body -> JSON in
            [
                "required": .bool(!endpoint.isBodyOptional),
                "content": [
                    "application/json": ["schema": describeFields(body, in: [endpoint.id])]
                ],
            ]
        }
        let responses =
            [
                JSON.Member(
                    String(endpoint.success.status),
                    response(
                        endpoint.success.description,
                        endpoint.success.content.map { content in
                            .init(content.name, describeFields(content.value, in: [endpoint.id]))
                        }))
            ] + endpoint.errors.map { .init(String($0.key), response($0.value, problemContent)) }
            + [.init("default", response("Error.", problemContent))]
        return .omittingNil([
            "operationId": .string(endpoint.id), "summary": .string(endpoint.summary),
            "tags": [.string(APITag(endpoint).rawValue)],
            "security": endpoint.access == .open ? [] : nil,
            "parameters": parameters.isEmpty ? nil : .array(parameters),
            "requestBody": requestBody, "responses": .object(responses),
        ])
    }

    private static func parameter(
        _ name: String, in location: String, _ schema: JSON, _ description: String? = nil,
        example: String? = nil
    ) -> JSON {
        .omittingNil([
            "name": .string(name), "in": .string(location),
            "required": location == "path" ? true : nil,
            "description": description.map(JSON.string), "schema": schema,
            "example": example.map(JSON.string),
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
                    Schema.object(
                        [
                            .init("pointer", Schema.string), .init("parameter", Schema.string),
                            .init("detail", Schema.string),
                        ], required: ["detail"]))),
        ], required: ["type", "title", "status", "detail"])

    private static let pathParameters: [String: (text: String, example: String)] = [
        "account": ("An account's id.", "acc_8J2K"), "app": ("An app's id.", "atlas"),
        "attachment": ("An attachment's number, from 0.", "0"),
        "contract": ("A contract's id.", "atlas"), "device": ("A device's id.", "dev_8J2K"),
        "event": ("An event's id.", "42"), "exchange": ("An exchange's id.", "exc_8J2K"),
        "fault": ("A fault's id.", "flt_8J2K"), "key": ("A storage key.", "access_token"),
        "mail": ("A message's id.", "mail_8J2K"), "rule": ("A rule's id.", "rul_8J2K"),
        "screen": ("A screen's id.", "login"), "session": ("A session's id.", "ses_8J2K"),
        "set": ("A picture set's name.", "before"),
        "snapshot": ("A snapshot's id.", "snp_8J2K"),
        "state": ("A state's name, as listed by the app's states.", "default"),
        "workspace": ("A workspace's id.", "ws_8J2K"),
    ]
}

extension JSON {
    /// Appends members to the object at a path of names.
    fileprivate mutating func appendMembers(_ added: [Member], at path: ArraySlice<String>) {
        guard case .object(var members) = self else { return }
        if let name = path.first {
            for index in members.indices where members[index].name == name {
                members[index].value.appendMembers(added, at: path.dropFirst())
            }
        } else {
            members += added
        }
        self = .object(members)
    }
}

extension OpenAPI {
    /// A schema whose fields have descriptions and examples; `owners` are the names of what
    /// encloses it, the innermost first.
    private static func describeFields(_ schema: JSON, in owners: [String]) -> JSON {
        switch schema {
        case .array(let elements): return .array(elements.map { describeFields($0, in: owners) })
        case .object(let members):
            return .object(
                members.map { member in
                    guard member.name == "properties", case .object(let fields) = member.value
                    else {
                        return .init(member.name, describeFields(member.value, in: owners))
                    }
                    return .init(
                        member.name,
                        .object(fields.map { .init($0.name, describe($0, in: owners)) }))
                })
        default: return schema
        }
    }

    private static func describe(_ field: JSON.Member, in owners: [String]) -> JSON {
        let schema = describeFields(field.value, in: [field.name] + owners)
        guard let entry = FieldDescriptions.entry(field.name, in: owners),
            case .object(var members) = schema
        else { return schema }
        if schema["description"] == nil {
            members.append(.init("description", .string(entry.text)))
        }
        // The values of a choice are examples of themselves.
        if schema["enum"] == nil, schema["anyOf"] == nil, schema["$ref"] == nil,
            let example = entry.example
        {
            members.append(.init("examples", [example]))
        }
        return .object(members)
    }
}

/// A group of endpoints in the document, by the first part of their paths.
enum APITag: String, CaseIterable {
    case workspaces, apps, devices, sessions, tokens, exchanges, rules, mailbox, accounts
    case snapshots, faults, clock, events, backend, search, health

    init(_ endpoint: Endpoint) {
        let segments = endpoint.path.split(separator: "/")
        let name = segments.first == "api" ? segments.dropFirst().first ?? "" : segments[0]
        switch name {
        case "reset": self = .workspaces
        case "intercepted": self = .rules
        default: self = APITag(rawValue: String(name)) ?? .health
        }
    }

    var summary: String {
        switch self {
        case .workspaces: "Isolated workspaces: lease, extend, reset, delete."
        case .apps: "The apps of the manifests, their screens and transitions."
        case .devices: "Simulated devices, and the apps on them with their stored values."
        case .sessions: "Sessions, their refresh families and refresh tests."
        case .tokens: "Decoding, verifying and checking tokens."
        case .exchanges: "Recorded requests and their responses."
        case .rules: "Rules that pause or answer requests, and what is paused."
        case .mailbox: "Messages that backends sent."
        case .accounts: "Accounts of the embedded backend."
        case .snapshots: "Stored states of devices and their accounts."
        case .faults: "Simulated failures."
        case .clock: "The workspace's clock."
        case .events: "The timeline."
        case .backend: "The embedded backend's settings, and those of its clients."
        case .search: "Search across everything."
        case .health: "Whether Foyer is running."
        }
    }
}
