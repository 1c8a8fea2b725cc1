import Traffic
import Web

/// `/api/conditions`: trouble on purpose.
struct ConditionsAPI: Sendable {
    let services: Services
    let visitors: Visitors

    /// What is active, in the order of striking.
    @Sendable func list(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let all = services.conditions.list(in: try visitors.workspace(of: visit))
        return .json(Paging.list(total: all.count, all.map(\.json), next: nil))
    }

    @Sendable func sets(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        return .json(
            Paging.list(total: Condition.sets.count, Condition.sets.map(\.json), next: nil))
    }

    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let id = visit.parameters["condition"] ?? ""
        let found = services.conditions.list(in: try visitors.workspace(of: visit)).first {
            $0.id == id
        }
        guard let found else { throw Problem.unknownCondition(id) }
        return .json(found.json)
    }

    /// One by its `kind`, or several by the name of their `set`.
    @Sendable func create(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        let order = ConditionOrder(services: services, workspace: workspace)
        var body = try BodyReader(visit.request)
        guard body.has("set") else {
            let condition = try await order.add(try Self.draft(&body))
            return .json(condition.json, status: 201)
        }
        let name = body.required("set", limit: 64)
        let app = body.string("app", limit: 64)
        let device = body.string("device", limit: 64)
        let set = Condition.set(name)
        if set == nil {
            let known = Condition.sets.map(\.id).joined(separator: ", ")
            body.fail("set", "is no set; there are \(known)")
        }
        try body.finish()
        guard let set else { return .noContent }
        let made = try await order.turnOn(set, app: app, device: device)
        return .json(Paging.list(total: made.count, made.map(\.json), next: nil), status: 201)
    }

    @Sendable func end(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let id = visit.parameters["condition"] ?? ""
        let count = try await services.conditions.end(in: try visitors.workspace(of: visit)) {
            $0.id == id
        }
        guard count > 0 else { throw Problem.unknownCondition(id) }
        return .noContent
    }

    /// All of the workspace, or those of one set.
    @Sendable func endAll(_ visit: Visit) async throws -> Response {
        let set = try visit.query(allowing: ["set"])["set"]
        if let set, Condition.set(set) == nil {
            throw Problem.badParameter(
                "set", "can be " + Condition.sets.map(\.id).joined(separator: ", "))
        }
        try await services.conditions.end(in: try visitors.workspace(of: visit)) {
            set == nil || $0.set == set
        }
        return .noContent
    }

    private static func draft(_ body: inout BodyReader) throws(Problem) -> Condition.Draft {
        _ = body.required("kind", limit: 64)
        let kind = body.choice("kind", of: Condition.Kind.self)
        var draft = Condition.Draft(
            kind ?? .offline, app: body.string("app", limit: 64),
            device: body.string("device", limit: 64), call: body.string("call", limit: 64))
        draft.times = body.integer("times")
        draft.phase = body.choice("phase", of: Condition.Phase.self) ?? .before
        draft.status = body.integer("status")
        draft.body = body.string("body", limit: 1 << 20)
        draft.headers = body.strings("headers") ?? [:]
        draft.delay = body.number("delay")
        draft.retryAfter = body.integer("retryAfter")
        draft.skew = body.integer("skew")
        try body.finish()
        return draft
    }
}
