import Traffic
import Web

/// `/api/faults`: injected faults.
struct FaultsAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    /// Lists the active faults in the order in which they apply.
    @Sendable func list(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let all = services.faults.list(in: try scopeResolver.workspace(of: context))
        return .json(Paging.list(total: all.count, all.map(\.json), next: nil))
    }

    @Sendable func presets(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        return .json(
            Paging.list(total: Fault.presets.count, Fault.presets.map(\.json), next: nil))
    }

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let id = context.parameters["fault"] ?? ""
        let fault = services.faults.list(in: try scopeResolver.workspace(of: context)).first {
            $0.id == id
        }
        guard let fault else { throw Problem.unknownFault(id) }
        return .json(fault.json)
    }

    /// Creates one fault by its `kind`, or those of the preset that `set` names.
    @Sendable func create(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let validator = FaultValidator(services: services, workspace: workspace)
        var body = try BodyReader(context.request)
        guard body.has("preset") else {
            let fault = try await validator.add(try Self.draft(&body))
            return .json(fault.json, status: 201)
        }
        let name = body.requiredString("preset", limit: 64)
        let app = body.string("app", limit: 64)
        let device = body.string("device", limit: 64)
        let preset = Fault.preset(name)
        if preset == nil {
            let presetIDs = Fault.presets.map(\.id).joined(separator: ", ")
            body.addError("preset", "must be one of \(presetIDs)")
        }
        try body.finish()
        guard let preset else { return .noContent }
        let faults = try await validator.applyPreset(preset, app: app, device: device)
        return .json(Paging.list(total: faults.count, faults.map(\.json), next: nil), status: 201)
    }

    @Sendable func delete(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let id = context.parameters["fault"] ?? ""
        let count = try await services.faults.remove(in: try scopeResolver.workspace(of: context)) {
            $0.id == id
        }
        guard count > 0 else { throw Problem.unknownFault(id) }
        return .noContent
    }

    /// Deletes all faults of the workspace, or those of one preset.
    @Sendable func deleteAll(_ context: RequestContext) async throws -> Response {
        let presetID = try context.query(allowing: ["preset"])["preset"]
        if let presetID, Fault.preset(presetID) == nil {
            throw Problem.badParameter(
                "preset", "must be one of " + Fault.presets.map(\.id).joined(separator: ", "))
        }
        try await services.faults.remove(in: try scopeResolver.workspace(of: context)) {
            presetID == nil || $0.presetID == presetID
        }
        return .noContent
    }

    private static func draft(_ body: inout BodyReader) throws(Problem) -> Fault.Draft {
        _ = body.requiredString("kind", limit: 64)
        let kind = body.choice("kind", of: Fault.Kind.self)
        var draft = Fault.Draft(
            kind ?? .offline, app: body.string("app", limit: 64),
            device: body.string("device", limit: 64), call: body.string("call", limit: 64))
        draft.times = body.integer("times")
        draft.phase = body.choice("phase", of: Fault.Phase.self) ?? .before
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
