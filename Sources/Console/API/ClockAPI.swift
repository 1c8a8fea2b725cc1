import FoundationEssentials
import Simulator
import Surroundings
import Web

/// `/api/clock`: what time it is in this workspace.
struct ClockAPI: Sendable {
    let services: Services
    let visitors: Visitors

    @Sendable func read(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try visitors.workspace(of: visit)
        return .json(try await json(workspace))
    }

    /// One of `offset`, `advance` and `at`, and whether it stands still.
    @Sendable func update(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        let workspace = try visitors.workspace(of: visit)
        var body = try BodyReader(visit.request)
        let change = ClockChange(
            offset: body.number("offset"), advance: body.number("advance"), at: body.time("at"),
            freeze: body.bool("freeze"))
        if change.settings > 1 { body.fail("", "give one of offset, advance and at") }
        try body.finish()
        if change.settings == 0, change.freeze == nil {
            body.fail("", "give offset, advance, at or freeze")
            try body.finish()
        }
        _ = try await services.simulator.changeClock(of: workspace) {
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
