import Inspection
import Traffic
import Web
import Workspaces

/// `/api/exchanges/…` beyond reading: import, comparison, resending.
struct TrafficAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    /// The body is the HTTP Archive itself.
    @Sendable func importArchive(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        if let type = context.request.headers["Content-Type"],
            !type.lowercased().hasPrefix("application/json")
        {
            throw Problem(
                status: 415, code: "not-json", title: "The body is not JSON",
                detail: "Send the HAR with Content-Type: application/json.")
        }
        let ids = try await services.harImport.importArchive(
            context.request.body, into: workspace)
        return .json(
            [
                "imported": JSON(ids.count),
                "stored": JSON(min(ids.count, services.exchanges.maxCount)),
                "exchanges": .array(ids.map(JSON.string)),
            ], status: 201)
    }

    @Sendable func compare(_ context: RequestContext) async throws -> Response {
        let queryParameters = try context.query(allowing: ["a", "b"])
        let workspace = try scopeResolver.workspace(of: context)
        let (old, new) = try await DiffPages.pair(
            queryParameters["a"], queryParameters["b"], in: workspace, services)
        let diff = ExchangeDiff(
            old, try await services.exchanges.unmaskedTokens(of: old), new,
            try await services.exchanges.unmaskedTokens(of: new))
        return .json([
            "a": .string(old.exchange.id), "b": .string(new.exchange.id),
            "equalExceptTiming": .bool(diff.isEqualExceptTiming),
            "sections": .array(
                diff.sections.map { section in
                    [
                        "title": .string(section.title), "unchanged": JSON(section.unchangedCount),
                        "differences": .array(section.rows.map(Self.rowJSON)),
                    ]
                }),
        ])
    }

    private static func rowJSON(_ row: ExchangeDiff.Row) -> JSON {
        [
            "path": .string(row.path), "kind": .string(row.kind.rawValue), "a": JSON(row.old),
            "b": JSON(row.new),
        ]
    }

    @Sendable func resend(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        let id = context.parameters["exchange"] ?? ""
        var body = try BodyReader(context.request, optional: true)
        var edit = Self.readEdit(&body)
        edit.password = body.string("password", limit: 4_096)
        try body.finish()
        guard let detail = try await services.exchanges.detail(id, in: workspace) else {
            throw services.missingProblem(exchange: id, in: workspace)
        }
        let newID = try await services.resend.send(detail, edit)
        guard let new = try await services.exchanges.detail(newID, in: workspace) else {
            throw services.missingProblem(exchange: newID, in: workspace)
        }
        return .json(new.json(try await services.rejectionReader.rejection(of: new)), status: 201)
    }

    private static func readEdit(_ body: inout BodyReader) -> Resend.Edit {
        var edit = Resend.Edit()
        guard let json = body.readValue("edit") else { return edit }
        guard case .object(let members) = json else {
            body.addError("edit", "must be an object")
            return edit
        }
        for member in members {
            switch member.name {
            case "method": edit.method = readString(member, &body)
            case "path": edit.path = readString(member, &body)
            case "body": edit.body = readString(member, &body)
            case "headers": edit.headers = readHeaders(member.value, &body)
            default:
                body.addError(
                    "edit/\(member.name)", "is unknown; valid fields: method, path, headers, body")
            }
        }
        return edit
    }

    private static func readString(_ member: JSON.Member, _ body: inout BodyReader) -> String? {
        if let text = member.value.string { return text }
        body.addError("edit/\(member.name)", "must be a string")
        return nil
    }

    private static func readHeaders(_ json: JSON, _ body: inout BodyReader) -> [Headers.Field]? {
        guard case .array(let list) = json else {
            body.addError("edit/headers", "must be an array of {name, value}")
            return nil
        }
        var fields: [Headers.Field] = []
        for (index, element) in list.enumerated() {
            guard case .object(let members) = element, members.count == 2,
                let name = element["name"]?.string, let value = element["value"]?.string
            else {
                body.addError("edit/headers/\(index)", "must be {name, value}")
                continue
            }
            fields.append(Headers.Field(name: name, value: value))
        }
        return fields
    }
}
