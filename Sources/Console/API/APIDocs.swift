import Core
import Templates
import Web

/// `/api/docs`: the OpenAPI document as a page to read.
///
/// Readable without a key, as the document: it has nothing of what is stored.
enum APIDocs {
    static func route(describing endpoints: [Endpoint], _ services: Services) -> Route {
        // Created when it is first requested.
        let models = SharedCache<String, TemplateModel>(capacity: 1)
        return Route(.get, Links.apiDocs, access: .open) { context in
            let model = models.value(for: services.version) {
                APIDocsBuilder(OpenAPI.document(endpoints, version: services.version)).build()
            }
            let host = context.request.headers["Host"] ?? "127.0.0.1:\(services.port)"
            return .html(
                try services.templates.render(
                    "api/docs", model.merging(["origin": "http://" + host]), layout: "layouts/auth")
            )
        }
    }
}

extension Links {
    static let apiDocs = "/api/docs"
}

/// Builds the page of an OpenAPI document (`api/docs`).
struct APIDocsBuilder {
    private let document: JSON
    private let schemas: JSON

    init(_ document: JSON) {
        self.document = document
        schemas = document["components"]?["schemas"] ?? .object([])
    }

    func build() -> TemplateModel {
        let operations = (document["paths"]?.members ?? []).flatMap { path in
            path.value.members.map {
                (tag: $0.value["tags"]?[0]?.string, model: operation(path.name, $0.name, $0.value))
            }
        }
        let tags = (document["tags"]?.elements ?? []).map { tag -> TemplateModel in
            let name = tag["name"]?.string ?? ""
            return [
                "tagID": "tag-" + name, "tagName": name.capitalizedFirst,
                "tagText": tag["description"]?.string ?? "",
                "operations": operations.filter { $0.tag == name }.map(\.model),
            ]
        }
        return [
            "pageTitle": "API", "pageScript": "api-docs.js",
            "version": document["info"]?["version"]?.string ?? "",
            "operationCount": operations.count, "tags": tags,
            "schemas": schemas.members.map { schema -> TemplateModel in
                [
                    "schemaID": "schema-" + schema.name, "schemaName": schema.name,
                    "fields": fields(of: schema.value),
                    "choices": schema.value["enum"]?.elements.compactMap(\.string) ?? [],
                    "words": ("schema " + schema.name).lowercased(),
                ]
            },
        ]
    }

    // MARK: Operations

    private func operation(_ path: String, _ method: String, _ operation: JSON) -> TemplateModel {
        let id = operation["operationId"]?.string ?? ""
        let summary = operation["summary"]?.string ?? ""
        let body = operation["requestBody"]
        let bodySchema = body?["content"]?["application/json"]?["schema"]
        let parameters = (operation["parameters"]?.elements ?? []).filter {
            $0["in"]?.string != "header"
        }
        return [
            "operationID": id, "method": method.uppercased(), "tone": Self.tone(method),
            "path": path, "shortPath": path.hasPrefix("/api") ? String(path.dropFirst(4)) : path,
            "text": summary, "isOpen": operation["security"] != nil,
            "words": "\(method) \(path) \(id) \(summary)".lowercased(),
            "parameters": parameters.map { parameter in
                field(
                    parameter["name"]?.string ?? "", parameter["schema"] ?? .null,
                    place: parameter["in"]?.string,
                    isRequired: parameter["required"]?.bool == true,
                    description: parameter["description"]?.string,
                    example: parameter["example"])
            },
            "body": bodySchema.map { schema -> TemplateModel in
                [
                    "isOptional": body?["required"]?.bool == false, "type": type(schema),
                    "fields": fields(of: schema),
                ]
            },
            "responses": (operation["responses"]?.members ?? []).map(response),
            "command": command(path, method, operation, id, parameters, bodySchema),
        ]
    }

    /// The tone of a method's chip.
    private static func tone(_ method: String) -> String {
        ["get": "neutral", "delete": "bad", "post": "accent"][method] ?? "warn"
    }

    private func response(_ response: JSON.Member) -> TemplateModel {
        let content = response.value["content"]?.members ?? []
        let schema = content.first?.value["schema"]
        return [
            "status": response.name == "default" ? "Other" : response.name,
            "responseText": response.value["description"]?.string ?? "",
            "mediaTypes": content.map(\.name).joined(separator: " or "),
            "type": schema.map(type) ?? [], "fields": schema.map { fields(of: $0) } ?? [],
        ]
    }

    // MARK: Example

    /// A curl call without the origin, which precedes `target`.
    private func command(
        _ path: String, _ method: String, _ operation: JSON, _ id: String, _ parameters: [JSON],
        _ bodySchema: JSON?
    ) -> TemplateModel {
        let target = parameters.filter { $0["in"]?.string == "path" }.reduce(path) { path, value in
            path.replacing(
                "{\(value["name"]?.string ?? "")}", with: value["example"]?.string ?? "x")
        }
        let body =
            Self.bodies[id]
            ?? bodySchema.flatMap { schema in
                operation["requestBody"]?["required"]?.bool == true
                    ? example(of: schema)?.description : nil
            }
        return [
            "curlMethod": method == "get" || method == "post" && body != nil
                ? nil : method.uppercased(),
            "hasKey": operation["security"] == nil,
            "target": target + (Self.queries[id].map { "?" + $0 } ?? ""),
            "curlBody": body?.replacing("'", with: "'\\''"),
        ]
    }

    /// Queries and bodies of examples for which the required fields are not enough.
    private static let queries = [
        "search": "q=nora", "compareExchanges": "a=exc_8J2K&b=exc_9K3L",
        "waitForMail": "to=nora@example.com", "compareSessionTokens": "from=1",
        "streamEvents": "format=json&after=0",
    ]
    private static let bodies = [
        "importExchanges": "@traffic.har", "createFault": #"{"preset":"tokenTheft"}"#,
        "createRule": #"{"kind":"pauseRequest","method":"POST","path":"/auth/*"}"#,
        "leaseWorkspace": #"{"ttl":600,"seed":{"app":"atlas","state":"signedIn"}}"#,
        "setClock": #"{"advance":61}"#, "updateAccount": #"{"verified":true}"#,
        "updateDevice": #"{"appearance":"dark"}"#, "extendWorkspace": #"{"ttl":600}"#,
        "updateRule": #"{"enabled":false}"#, "chooseBackend": #"{"backend":"embedded"}"#,
        "updateBackend": #"{"switches":{"confirmEmail":false}}"#,
        "addApp": ##"{"name":"Shop","color":"#2F6FED","contract":"atlas"}"##,
        "resendExchange": #"{"edit":{"method":"GET"}}"#,
        "takeSnapshot": #"{"name":"signed in","device":"dev_8J2K"}"#,
    ]

    /// An object of the required fields' examples.
    private func example(of schema: JSON) -> JSON? {
        let schema = resolved(schema)
        if let value = schema["examples"]?[0] ?? schema["enum"]?[0] { return value }
        guard schema["properties"] != nil else { return nil }
        let names = schema["required"]?.elements.compactMap(\.string) ?? []
        return .object(
            (schema["properties"]?.members ?? []).filter { names.contains($0.name) }.map {
                .init($0.name, example(of: $0.value) ?? .null)
            })
    }
}

// MARK: - Schemas

extension APIDocsBuilder {
    private func resolved(_ schema: JSON) -> JSON {
        Schema.referencedName(schema).flatMap { schemas[$0] } ?? schema
    }

    /// The fields of an object, each followed by its own; those of named schemas have a section.
    private func fields(of schema: JSON, prefix: String = "") -> [TemplateModel] {
        let required = schema["required"]?.elements.compactMap(\.string) ?? []
        return (schema["properties"]?.members ?? []).flatMap { member in
            [
                field(
                    prefix + member.name, member.value,
                    isRequired: required.contains(member.name),
                    description: member.value["description"]?.string)
            ]
                + nested(member.value).flatMap {
                    fields(of: $0.schema, prefix: prefix + member.name + $0.suffix)
                }
        } + (schema["anyOf"]?.elements ?? []).flatMap { fields(of: $0, prefix: prefix) }
    }

    /// The objects without a name in a value.
    private func nested(_ schema: JSON) -> [(schema: JSON, suffix: String)] {
        if schema["properties"] != nil { return [(schema, ".")] }
        if let items = schema["items"] {
            return nested(items).map { ($0.schema, "[]" + $0.suffix) }
        }
        if let values = schema["additionalProperties"], case .object = values {
            return nested(values).map { ($0.schema, ".*" + $0.suffix) }
        }
        return (schema["anyOf"]?.elements ?? []).flatMap(nested)
    }

    private func field(
        _ name: String, _ schema: JSON, place: String? = nil, isRequired: Bool,
        description: String?, example: JSON? = nil
    ) -> TemplateModel {
        let choices = choices(of: schema)
        return [
            "name": name, "place": place, "type": type(schema), "isRequired": isRequired,
            "fieldText": description, "choices": choices.isEmpty ? nil : choices,
            "range": range(of: schema),
            "example": (example ?? schema["examples"]?[0]).map { json in
                json.string ?? json.description
            },
        ]
    }

    private func choices(of schema: JSON) -> [String] {
        let schema = resolved(schema)
        let own = schema["enum"]?.elements.compactMap(\.string) ?? []
        // A long list is the schema's own section.
        return own.isEmpty
            ? (schema["anyOf"]?.elements ?? []).flatMap(choices)
            : own.count > 20 ? [] : own
    }

    /// `1 to 500`; nil without limits.
    private func range(of schema: JSON) -> String? {
        let parts = [schema] + (schema["anyOf"]?.elements ?? [])
        func text(_ name: String) -> String? {
            parts.lazy.compactMap { $0[name]?.description }.first
        }
        if let least = text("minimum"), let most = text("maximum") { return "\(least) to \(most)" }
        let limits = [
            text("minimum").map { "At least \($0)" },
            text("exclusiveMinimum").map { "More than \($0)" },
            text("maximum").map { "at most \($0)" },
        ].compactMap(\.self)
        return limits.isEmpty ? nil : limits.joined(separator: ", ")
    }

    /// The type in words, as parts: those with a `target` are links to named schemas.
    private func type(_ schema: JSON) -> [TemplateModel] {
        func part(_ text: String, target: String? = nil) -> TemplateModel {
            ["typeText": text, "target": target]
        }
        if let name = Schema.referencedName(schema) {
            return [part(name, target: "schema-" + name)]
        }
        if let items = schema["items"] {
            return [part("array of ")] + type(items) + nullable(schema).map { part($0) }
        }
        if let choices = schema["anyOf"]?.elements {
            return Array(choices.map(type).joined(separator: [part(" or ")]))
        }
        if let values = schema["additionalProperties"], case .object = values {
            return [part("map of ")] + type(values) + nullable(schema).map { part($0) }
        }
        let names = schema["type"].map {
            $0.string.map { [$0] } ?? $0.elements.compactMap(\.string)
        }
        let isTime = schema["format"]?.string == "date-time"
        return [
            part(
                (names ?? ["any"]).map { $0 == "string" && isTime ? "time" : $0 }.joined(
                    separator: " or "))
        ]
    }

    private func nullable(_ schema: JSON) -> [String] {
        schema["type"]?.elements.contains("null") == true ? [" or null"] : []
    }
}
