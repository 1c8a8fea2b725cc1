import Apps
import Core
import FoundationEssentials
import Simulator
import Templates
import Traffic
import Web

/// Display names and sentences of rules and paused exchanges.
struct RuleNames: Sendable {
    private let services: Services
    private let workspace: String
    private var deviceNames: [String: String] = [:]

    /// Looks up the devices that rules and paused exchanges refer to.
    init(devices: [String], in workspace: String, _ services: Services) async throws {
        self.services = services
        self.workspace = workspace
        for id in Set(devices) {
            let device = try await services.simulator.device(id, in: workspace)
            deviceNames[id] = device?.label ?? Format.shortID(id)
        }
    }

    func app(_ id: String) -> String { services.appCatalog.app(id)?.name ?? id }

    func device(_ id: String) -> String { deviceNames[id] ?? Format.shortID(id) }

    /// `POST requests for login to /auth/* in Atlas from Device 1`.
    func subject(_ match: TrafficRule.Match) -> String {
        let isAny = match == TrafficRule.Match()
        return [
            match.method.map { "\($0) requests" } ?? (isAny ? "all requests" : "requests"),
            match.call.map { "for \($0)" }, match.path.map { "to \($0)" },
            match.host.map { "at \($0)" }, match.app.map { "in \(app($0))" },
            match.device.map { "from \(device($0))" },
        ].compactMap(\.self).joined(separator: " ")
    }

    func sentence(_ rule: TrafficRule) -> String {
        let subject = subject(rule.draft.match)
        let timeout = Format.seconds(rule.draft.timeout)
        return switch rule.kind {
        case .pauseRequest: "Pauses \(subject), at most \(timeout) each."
        case .pauseResponse: "Pauses responses to \(subject), at most \(timeout) each."
        case .respond: "Responds to \(subject) with \(rule.draft.response.map(Self.summary) ?? "")."
        }
    }

    /// `201, application/json, 54 B`.
    private static func summary(_ response: MappedResponse) -> String {
        let type = response.headers["Content-Type"].map { String($0.prefix { $0 != ";" }) }
        let size = response.body.isEmpty ? "no body" : Format.size(response.body.count)
        let isInvalid =
            type?.hasSuffix("json") == true && !response.body.isEmpty
            && (try? JSON(parsing: response.body)) == nil
        let warning = isInvalid ? "not valid JSON" : nil
        return [String(response.status), type, response.fileName ?? size, warning]
            .compactMap(\.self).joined(separator: ", ")
    }
}

extension TrafficRule.Kind {
    var name: String {
        switch self {
        case .pauseRequest: "Pause request"
        case .pauseResponse: "Pause response"
        case .respond: "Respond"
        }
    }

    var explanation: String {
        switch self {
        case .pauseRequest: "before it is sent"
        case .pauseResponse: "before the app receives it"
        case .respond: "instead of the backend, nothing is sent"
        }
    }

    var icon: String { self == .respond ? "swap" : "pause" }
}

extension PausedExchange.Phase {
    var name: String { self == .request ? "Request, not sent yet" : "Response, not received yet" }
}

extension Services {
    /// The frame's banner for paused exchanges (`parts/banner`); nil if none is paused.
    func pauseBanner(in workspace: String) -> TemplateModel? {
        let paused = rules.paused(in: workspace)
        guard let first = paused.first else { return nil }
        return [
            "pausedID": first.id, "pausedPhase": first.phase.rawValue,
            "pausedText": "\(first.methodAndPath) in "
                + "\(appCatalog.app(first.app)?.name ?? first.app)",
            "pausedName": first.phase == .request ? "Request paused" : "Response paused",
            "pausedOthers": paused.count > 1 ? "and \(paused.count - 1) more" : nil,
            "pausedAction": Links.intercepted(first.id),
            "pausedURL": Links.rules + "#" + first.id,
            "pausedUntil": first.until.iso8601, "pausedUntilTime": Format.timeOfDay(first.until),
        ]
    }
}
