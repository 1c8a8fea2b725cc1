import TableSchemas
import Web

/// The description of the tables in OpenAPI 2.0, as PostgREST serves it at its root.
enum TableOpenAPI {
    static func document(_ tables: [TableSchema], host: String, path: String) -> JSON {
        let paths = tables.sorted { $0.name < $1.name }.map { schema -> JSON.Member in
            func operation(_ summary: String, _ parameters: [String], _ responses: JSON) -> JSON {
                [
                    "tags": [.string(schema.name)], "summary": .string(summary),
                    "parameters": .array(
                        parameters.map { ["$ref": .string("#/parameters/\($0)")] }),
                    "responses": responses,
                ]
            }
            let filters = schema.columns.map { "rowFilter.\(schema.name).\($0.name)" }
            let rows: JSON = [
                "description": "OK",
                "schema": [
                    "type": "array",
                    "items": ["$ref": .string("#/definitions/\(schema.name)")],
                ],
            ]
            return .init(
                "/" + schema.name,
                [
                    "get": operation(
                        "",
                        filters + [
                            "select", "order", "range", "rangeUnit", "offset", "limit",
                            "preferCount",
                        ],
                        ["200": rows, "206": ["description": "Partial Content"]]),
                    "post": operation(
                        "", ["body.\(schema.name)", "select", "preferPost"],
                        ["201": ["description": "Created"]]),
                    "delete": operation(
                        "", filters + ["preferReturn"], ["204": ["description": "No Content"]]),
                    "patch": operation(
                        "", filters + ["body.\(schema.name)", "preferReturn"],
                        ["204": ["description": "No Content"]]),
                ])
        }
        let root: JSON.Member = .init(
            "/",
            [
                "get": [
                    "tags": ["Introspection"],
                    "summary": "OpenAPI description (this document)",
                    "produces": ["application/openapi+json", "application/json"],
                    "responses": ["200": ["description": "OK"]],
                ]
            ])
        let types: JSON = [
            "application/json", "application/vnd.pgrst.object+json;nulls=stripped",
            "application/vnd.pgrst.object+json", "text/csv",
        ]
        return [
            "swagger": "2.0",
            "info": [
                "title": "standard public schema", "description": "", "version": "14.0",
            ],
            "host": .string(host), "basePath": .string(path), "schemes": ["http"],
            "consumes": types, "produces": types, "paths": .object([root] + paths),
            "definitions": .object(tables.map { .init($0.name, definition($0)) }),
            "parameters": .object(commonParameters + tables.flatMap(parameters)),
            "externalDocs": [
                "description": "PostgREST Documentation",
                "url": "https://postgrest.org/en/v14/references/api.html",
            ],
        ]
    }

    private static func definition(_ schema: TableSchema) -> JSON {
        let properties = schema.columns.map { column -> JSON.Member in
            var notes: [String] = []
            if schema.primaryKey.contains(column.name) {
                notes.append("Note:\nThis is a Primary Key.<pk/>")
            }
            if case .table(let table, let key)? = column.reference?.target {
                notes.append(
                    "Note:\nThis is a Foreign Key to `\(table).\(key)`."
                        + "<fk table='\(table)' column='\(key)'/>")
            }
            let defaultValue: JSON? =
                switch column.defaultValue {
                case .literal(let value): value
                case .now: "now()"
                case .randomUUID: "gen_random_uuid()"
                case .userID: "auth.uid()"
                case .identity, nil: nil
                }
            let type = column.type
            return .init(
                column.name,
                .omittingNil([
                    "default": defaultValue, "format": .string(type.name),
                    "description": notes.isEmpty ? nil : .string(notes.joined(separator: "\n")),
                    "maxLength": type.maxLength.map { .int(Int64($0)) },
                    "enum": column.check?.oneOf.map(JSON.array), "type": jsonType(type),
                    "items": type.isArray
                        ? ["type": jsonType(ColumnType(type.scalar)) ?? "object"] : nil,
                ]))
        }
        let required = schema.columns.filter(\.isRequired).map { JSON.string($0.name) }
        return .omittingNil([
            "required": required.isEmpty ? nil : .array(required),
            "properties": .object(properties), "type": "object",
        ])
    }

    private static func jsonType(_ type: ColumnType) -> JSON? {
        if type.isArray { return "array" }
        if type.isInteger { return "integer" }
        if type.isNumber { return "number" }
        if type.isJSON { return nil }
        return type.scalar == .boolean ? "boolean" : "string"
    }

    private static func parameters(_ schema: TableSchema) -> [JSON.Member] {
        [
            .init(
                "body.\(schema.name)",
                [
                    "name": .string(schema.name), "description": .string(schema.name),
                    "required": false, "in": "body",
                    "schema": ["$ref": .string("#/definitions/\(schema.name)")],
                ])
        ]
            + schema.columns.map { column in
                .init(
                    "rowFilter.\(schema.name).\(column.name)",
                    [
                        "name": .string(column.name), "required": false, "in": "query",
                        "type": "string",
                    ])
            }
    }

    private static let commonParameters: [JSON.Member] = {
        func query(_ name: String, _ description: String) -> JSON.Member {
            .init(
                name,
                [
                    "name": .string(name), "description": .string(description), "required": false,
                    "in": "query", "type": "string",
                ])
        }
        func header(_ key: String, _ name: String, _ description: String, _ values: [String])
            -> JSON.Member
        {
            .init(
                key,
                .omittingNil([
                    "name": .string(name), "description": .string(description), "required": false,
                    "enum": values.isEmpty ? nil : .array(values.map(JSON.string)),
                    "in": "header", "type": "string",
                ]))
        }
        let returns = ["return=representation", "return=minimal", "return=none"]
        return [
            header(
                "preferPost", "Prefer", "Preference",
                returns + ["resolution=ignore-duplicates", "resolution=merge-duplicates"]),
            header("preferReturn", "Prefer", "Preference", returns),
            header("preferCount", "Prefer", "Preference", ["count=none"]),
            query("select", "Filtering Columns"), query("on_conflict", "On Conflict"),
            query("order", "Ordering"),
            header("range", "Range", "Limiting and Pagination", []),
            header("rangeUnit", "Range-Unit", "Limiting and Pagination", []),
            query("offset", "Limiting and Pagination"), query("limit", "Limiting and Pagination"),
        ]
    }()
}
