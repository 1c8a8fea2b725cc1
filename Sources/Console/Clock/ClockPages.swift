import FoundationEssentials
import Simulator
import Surroundings
import Web

/// `/clock`: setting the workspace's clock, from its page or from the gauge
/// beside every page.
struct ClockPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        [Route(.get, "/clock", handler: show), Route(.post, "/clock", handler: change)]
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        return try await page(visit, part: part, typed: nil, error: nil)
    }

    /// `advance` in seconds, `freeze` or `go`, `real`, or a time `at`; then
    /// back to the page the button was on.
    @Sendable private func change(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let workspace = try visitors.workspace(of: visit)
        var change = ClockChange()
        switch form["act"] {
        case "freeze": change.freeze = true
        case "go": change.freeze = false
        case "real":
            change.offset = 0
            change.freeze = false
        case "set":
            let typed = form["at"] ?? ""
            guard let at = Self.time(typed) else {
                return try await page(
                    visit, part: nil, typed: typed,
                    error: "That is no time. Write it as 2026-11-21T14:35:27, in UTC.")
            }
            change.at = at
        case let act:
            guard let seconds = act.flatMap(TimeInterval.init), seconds.isFinite else {
                throw Problem.unknownClockAct
            }
            change.advance = seconds
        }
        let wanted = change
        do {
            _ = try await services.simulator.changeClock(of: workspace) {
                try wanted.applied(to: $0, real: $1)
            }
        } catch let problem as Problem where form["act"] == "set" {
            return try await page(visit, part: nil, typed: form["at"], error: problem.detail)
        }
        return .redirect(to: Links.back(form["back"]) ?? Links.clock)
    }

    private func page(_ visit: Visit, part: String?, typed: String?, error: String?) async throws
        -> Response
    {
        let workspace = try visitors.workspace(of: visit)
        let real = services.world.now()
        let now = services.now(in: workspace)
        let model = ClockModel(
            frame: try await frames.frame(
                "Clock", place: "clock", workspace: workspace, csrf: visit.csrf,
                partURL: Links.part(Links.clock, [])), csrf: visit.csrf, date: Words.date(now),
            real: Words.clock(real), typed: typed ?? String(now.iso8601.prefix(19)), error: error,
            notes: try await services.clockNotes(workspace))
        var response = try PageParts(
            templates: services.templates, page: "clock/clock", parts: ["now": "clock/now"]
        ).answer(part, model, frame: model.frame)
        if error != nil { response.status = 422 }
        return response
    }

    /// With or without seconds, as browsers' fields write it; in UTC.
    private static func time(_ text: String) -> Date? {
        let text = text.hasSuffix("Z") ? String(text.dropLast()) : text
        let whole = text.utf8.count == 16 ? text + ":00" : text
        return Date(iso8601: whole + "Z")
    }
}

extension Problem {
    fileprivate static var unknownClockAct: Problem {
        Problem(
            status: 400, code: "unknown-act", title: "The clock cannot do that",
            detail: "act is a number of seconds, freeze, go, real or set.")
    }
}
