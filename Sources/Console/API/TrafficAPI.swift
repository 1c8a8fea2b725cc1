import Traffic
import Web

/// `/api/exchanges/…` beyond reading: import, comparison, sending again.
struct TrafficAPI: Sendable {
    let services: Services
    let visitors: Visitors

    /// The body is the HTTP Archive itself.
    @Sendable func take(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try visitors.workspace(of: visit)
        if let type = visit.request.headers["Content-Type"],
            !type.lowercased().hasPrefix("application/json")
        {
            throw Problem(
                status: 415, code: "not-json", title: "The body is not JSON",
                detail: "Send the HAR with Content-Type: application/json.")
        }
        let ids = try await Importing(services: services).take(visit.request.body, into: workspace)
        return .json(
            [
                "imported": JSON(ids.count),
                "kept": JSON(min(ids.count, services.exchanges.keptCount)),
                "exchanges": .array(ids.map(JSON.string)),
            ], status: 201)
    }

    @Sendable func compare(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["a", "b"])
        let workspace = try visitors.workspace(of: visit)
        let (old, new) = try await DiffPages.pair(asked["a"], asked["b"], in: workspace, services)
        let diff = ExchangeDiff(
            old, try await services.tokens(of: old), new, try await services.tokens(of: new))
        return .json([
            "a": .string(old.exchange.id), "b": .string(new.exchange.id),
            "same": .bool(diff.isSame),
            "sections": .array(
                diff.sections.map { section in
                    [
                        "title": .string(section.title), "same": JSON(section.same),
                        "differences": .array(section.rows.map(Self.row)),
                    ]
                }),
        ])
    }

    private static func row(_ row: ExchangeDiff.Row) -> JSON {
        [
            "path": .string(row.path), "kind": .string(row.kind.rawValue), "a": JSON(row.old),
            "b": JSON(row.new),
        ]
    }

    @Sendable func resend(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try visitors.workspace(of: visit)
        let id = visit.parameters["exchange"] ?? ""
        var body = try BodyReader(visit.request, optional: true)
        var edit = Self.edit(&body)
        edit.password = body.string("password", limit: 4_096)
        try body.finish()
        guard let detail = try await services.exchanges.detail(id, in: workspace) else {
            throw services.missing(exchange: id, in: workspace)
        }
        let sent = try await Resending(services: services, detail: detail).send(edit)
        guard let new = try await services.exchanges.detail(sent, in: workspace) else {
            throw services.missing(exchange: sent, in: workspace)
        }
        return .json(new.json(try await services.refusal(of: new)), status: 201)
    }

    private static func edit(_ body: inout BodyReader) -> Resending.Edit {
        var edit = Resending.Edit()
        guard let json = body.take("edit") else { return edit }
        guard case .object(let members) = json else {
            body.fail("edit", "must be an object")
            return edit
        }
        for member in members {
            switch member.name {
            case "method": edit.method = text(member, &body)
            case "path": edit.path = text(member, &body)
            case "body": edit.body = text(member, &body)
            case "headers": edit.headers = headers(member.value, &body)
            default:
                body.fail(
                    "edit/\(member.name)", "is unknown; there are method, path, headers, body")
            }
        }
        return edit
    }

    private static func text(_ member: JSON.Member, _ body: inout BodyReader) -> String? {
        if let text = member.value.string { return text }
        body.fail("edit/\(member.name)", "must be a string")
        return nil
    }

    private static func headers(_ json: JSON, _ body: inout BodyReader) -> [Headers.Field]? {
        guard case .array(let list) = json else {
            body.fail("edit/headers", "must be a list of {name, value}")
            return nil
        }
        var fields: [Headers.Field] = []
        for (index, element) in list.enumerated() {
            guard case .object(let members) = element, members.count == 2,
                let name = element["name"]?.string, let value = element["value"]?.string
            else {
                body.fail("edit/headers/\(index)", "must be {name, value}")
                continue
            }
            fields.append(Headers.Field(name: name, value: value))
        }
        return fields
    }
}
