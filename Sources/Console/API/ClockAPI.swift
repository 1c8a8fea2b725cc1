import Core
import FoundationEssentials
import Simulator
import Web

/// `/api/clock`: the workspace's clock.
enum ClockAPI {
    static let endpoints = [
        Endpoint(
            .get, "/api/clock", "readClock", "Returns the workspace's clock.",
            returning: .ok(representation, "The clock."), handler: state),

        Endpoint(
            .patch, "/api/clock", "setClock",
            """
            Moves or freezes the workspace's clock, which tokens, codes, rate limits \
            and countdowns follow. Takes one of offset, advance and at.
            """, reading: { readChange(&$0.body) },
            returning: .ok(representation, "The updated clock.")
        ) { call, change in
            _ = try await call.services.simulator.updateClock(of: call.workspace) {
                try change.applied(to: $0, real: $1)
            }
            return try await state(call)
        },
    ]

    private static func readChange(_ body: inout BodyReader) -> ClockChange {
        let change = ClockChange(
            offset: body.number("offset"), advance: body.number("advance"), at: body.time("at"),
            freeze: body.bool("freeze"))
        if change.settingCount > 1 {
            body.addError("", "must have only one of offset, advance and at")
        }
        if change.settingCount == 0, change.freeze == nil, body.isValid {
            body.addError("", "must have offset, advance, at or freeze")
        }
        return change
    }

    /// `notes` name the backends whose clocks do not follow.
    private typealias State = (clock: Clock, realTime: Date, notes: [String])

    @Sendable private static func state(_ call: APICall) async throws -> State {
        let workspace = try call.workspace
        return (
            call.services.simulator.clocks.clock(of: workspace), call.services.world.now(),
            try await call.services.clockNotes(workspace)
        )
    }

    private static let representation = Representation<State>(
        "Clock",
        [
            .init("now") { $0.clock.time(at: $0.realTime) }, .init("real") { $0.realTime },
            .init("offset") { $0.clock.roundedOffset }, .init("frozen") { $0.clock.isFrozen },
            .init("note") { state in
                state.notes.isEmpty || state.clock.isReal ? nil : state.notes.joined(separator: " ")
            },
        ])
}

extension Clock {
    /// In seconds, to the millisecond.
    var roundedOffset: Double { (offset * 1_000).rounded() / 1_000 }

    var isFrozen: Bool { frozenAt != nil }
}
