import Core
import FoundationEssentials
import Simulator
import Web

/// `/api/clock`: the workspace's clock.
struct ClockAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver

    @Sendable func read(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        return .json(try await json(workspace))
    }

    /// Takes at most one of `offset`, `advance` and `at`, and optionally `freeze`.
    @Sendable func update(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: [])
        let workspace = try scopeResolver.workspace(of: context)
        var body = try BodyReader(context.request)
        let change = ClockChange(
            offset: body.number("offset"), advance: body.number("advance"), at: body.time("at"),
            freeze: body.bool("freeze"))
        if change.settingCount > 1 {
            body.addError("", "must have only one of offset, advance and at")
        }
        try body.finish()
        if change.settingCount == 0, change.freeze == nil {
            body.addError("", "must have offset, advance, at or freeze")
            try body.finish()
        }
        _ = try await services.simulator.updateClock(of: workspace) {
            try change.applied(to: $0, real: $1)
        }
        return .json(try await json(workspace))
    }

    private func json(_ workspace: String) async throws -> JSON {
        let real = services.world.now()
        let clock = services.simulator.clocks.clock(of: workspace)
        let notes = try await services.clockNotes(workspace)
        return [
            "now": .string(clock.time(at: real).iso8601),
            "real": .string(real.iso8601),
            "offset": .double(
                (clock.offset * 1_000).rounded() / 1_000),
            "frozen": .bool(clock.frozenAt != nil),
            "note": notes.isEmpty || clock.isReal ? .null : .string(notes.joined(separator: " ")),
        ]
    }
}
