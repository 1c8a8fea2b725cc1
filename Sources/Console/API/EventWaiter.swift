import Core
import FoundationEssentials
import Web

/// Waits, without polling, until something of a workspace is as wanted.
struct EventWaiter: Sendable {
    let hub: EventHub
    let world: World
    let workspace: String

    init(_ call: APICall) throws(Problem) {
        hub = call.services.hub
        world = call.services.world
        workspace = try call.workspace
    }

    /// The first result of `check`, which runs at once and after each event that it may depend on;
    /// nil at the timeout.
    ///
    /// `check` also returns the time until its result may change without an event, if there is one.
    func result<Result: Sendable>(
        within timeout: Duration, after isRelevant: @escaping @Sendable (Event) -> Bool,
        check: @Sendable () async throws -> (Result?, recheck: Duration?)
    ) async throws -> Result? {
        let end = world.now().addingTimeInterval(timeout / .seconds(1))
        var remaining = timeout
        while true {
            // Subscribe before checking, so that no event is missed in between.
            let events = hub.listen(to: workspace)
            let (result, recheck) = try await check()
            if let result { return result }
            guard remaining > .zero else { return nil }
            let pause = min(remaining, recheck ?? remaining)
            let isEvent = try await world.first(of: events, within: pause, where: isRelevant) != nil
            let rest = Duration.seconds(max(0, end.timeIntervalSince(world.now())))
            remaining = isEvent ? min(remaining, rest) : remaining - pause
        }
    }
}

extension QueryReader {
    /// The longest wait of a call that waits.
    mutating func waitTimeout() -> Duration {
        let seconds =
            value(
                "timeout", "The longest wait in seconds; 10 by default.",
                schema: ["type": "number", "minimum": 0, "maximum": 60],
                rule: "must be 0 to 60 seconds"
            ) { Double($0).flatMap { (0...60).contains($0) ? $0 : nil } } ?? 10
        return .milliseconds(Int(seconds * 1_000))
    }
}

extension Problem {
    /// A call that waited in vain: a 504, so that test runners do not retry it as they do a 408.
    static func waitTimedOut(_ title: String, _ detail: String, apiHint: String = "") -> Problem {
        Problem(
            status: 504, code: "wait-timed-out", title: title, detail: detail, apiHint: apiHint)
    }
}
