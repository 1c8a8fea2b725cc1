import Apps
import Core
import FoundationEssentials
import Simulator
import Templates
import Web

/// `/clock`: sets the workspace's clock, from its page or from the clock panel beside every page.
struct ClockPages: Sendable {
    let services: Services

    var routes: [Route] {
        [.page(Links.clock) { try await page($0) }, Route(.post, Links.clock, handler: change)]
    }

    /// `act` is a number of seconds to advance, `freeze`, `go`, `real`, or `set` with a time `at`.
    /// Redirects to the page that has the form.
    @Sendable private func change(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let workspace = try services.workspace(of: context)
        var change = ClockChange()
        switch form["act"] {
        case "freeze": change.freeze = true
        case "go": change.freeze = false
        case "real":
            change.offset = 0
            change.freeze = false
        case "set":
            let input = form["at"] ?? ""
            guard let at = Self.parseTime(input) else {
                return try await page(
                    context, input: input,
                    error: "Invalid date. Use the format 2026-11-21T14:35:27, in UTC.")
            }
            change.at = at
        case let act:
            guard let seconds = act.flatMap(TimeInterval.init), seconds.isFinite else {
                throw Problem(
                    status: 400, code: "unknown-action", title: "Unknown action",
                    detail: "act must be a number of seconds, freeze, go, real or set.")
            }
            change.advance = seconds
        }
        do {
            _ = try await services.simulator.updateClock(of: workspace) { [change] in
                try change.applied(to: $0, real: $1)
            }
        } catch let problem as Problem where form["act"] == "set" {
            return try await page(context, input: form["at"], error: problem.detail)
        }
        return .redirect(to: Links.validatedBackURL(form["back"]) ?? Links.clock)
    }

    private func page(_ context: RequestContext, input: String? = nil, error: String? = nil)
        async throws -> Response
    {
        let workspace = try services.workspace(of: context)
        let real = services.world.now()
        let clock = services.simulator.clocks.clock(of: workspace)
        let now = clock.time(at: real)
        let page = Page(
            title: "Clock", navItem: "clock", url: Links.clock,
            model: [
                "clock": clock.model(at: real), "date": Format.date(now),
                "systemTime": Format.timeOfDay(real),
                "inputValue": input ?? String(now.iso8601.prefix(19)), "error": error,
                "notes": try await services.clockNotes(workspace),
            ])
        return try await services.respond(
            to: context, page, "clock/clock", parts: ["now": "clock/now"],
            status: error == nil ? 200 : 422)
    }

    /// Parses a `datetime-local` field's value, with or without seconds, as UTC.
    private static func parseTime(_ text: String) -> Date? {
        let text = text.hasSuffix("Z") ? String(text.dropLast()) : text
        let withSeconds = text.utf8.count == 16 ? text + ":00" : text
        return Date(iso8601: withSeconds + "Z")
    }
}

extension Services {
    /// The workspace's time, by its own clock.
    func now(in workspace: String) -> Date { simulator.clocks.now(in: workspace) }

    /// What a moved clock does not affect: a sentence for each app that uses a real backend on a
    /// device of the workspace.
    func clockNotes(_ workspace: String) async throws -> [String] {
        try await simulator.chosenBackends(in: workspace).compactMap { chosen in
            guard let app = appCatalog.app(chosen.app),
                let backend = app.backends.first(where: { $0.id == chosen.backend }),
                case .url = backend.base
            else { return nil }
            return clockNote(of: app, backend.id)
        }
    }

    /// The sentence for one app and its real backend.
    func clockNote(of app: App, _ backend: String) -> String {
        """
        \(app.name) uses \(backend), a real backend, whose own clock did \
        not move: only this console applies this clock to its tokens.
        """
    }
}

/// A requested change of a workspace's clock.
struct ClockChange: Sendable {
    /// Seconds from the system time.
    var offset: TimeInterval?
    /// Seconds from the clock's current time.
    var advance: TimeInterval?
    /// The time to set.
    var at: Date?
    var freeze: Bool?

    /// How many of `offset`, `advance` and `at` are given.
    var settingCount: Int {
        [offset != nil, advance != nil, at != nil].count { $0 }
    }

    /// `clock` with this change; throws if it would differ from the system time by more than
    /// `Clock.maxOffset`.
    func applied(to clock: Clock, real: Date) throws(Problem) -> Clock {
        var clock = clock
        if let target = offset.map(real.addingTimeInterval)
            ?? advance.map(clock.time(at: real).addingTimeInterval) ?? at
        {
            guard target.timeIntervalSince(real).magnitude <= Clock.maxOffset else {
                throw Problem(
                    status: 400, code: "clock-too-far", title: "Time out of range",
                    detail: "The clock can be at most ten years from the system time.")
            }
            clock = clock.showing(target, at: real)
        }
        // Offsets below 1 ms come from rounding and count as the system time.
        if clock.offset.magnitude < 0.001 { clock.offset = 0 }
        return switch freeze {
        case true?: clock.frozen(at: real)
        case false?: clock.resumed(at: real)
        case nil: clock
        }
    }
}
