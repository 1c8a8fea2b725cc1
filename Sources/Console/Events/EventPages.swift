import Apps
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// `/events/{event}`: a screen that was shown, a value that was written, a
/// rule that failed: whatever happened has an address.
struct EventPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] { [Route(.get, "/events/{event}", handler: show)] }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let workspace = try visitors.workspace(of: visit)
        let graph = EventGraph(services.hub.events(in: workspace))
        let event = try services.event(visit.parameters["event"] ?? "", in: workspace)
        let beside = graph.events.filter { $0.app == event.app && $0.device == event.device }
        let place = beside.firstIndex { $0.id == event.id } ?? 0
        let older = place > 0 ? beside[place - 1] : nil
        let newer = place + 1 < beside.count ? beside[place + 1] : nil
        let timeline = event.app.flatMap(app)
        let model = EventModel(
            frame: try await frames.frame(
                event.title, place: "studio", workspace: workspace, csrf: visit.csrf,
                partURL: Links.part(Links.event(event.id), [])), csrf: visit.csrf,
            title: event.title, timelineURL: timeline.map(Links.timeline) ?? Links.home,
            timelineName: timeline == nil ? "Home" : "Timeline", kind: event.kind.rawValue,
            shape: event.shape, at: event.at.iso8601, time: Words.clockMilliseconds(event.at),
            ago: Words.ago(event.at, services.world.now()), subjectURL: subject(event)?.url,
            restoreURL: event.device == nil
                ? nil : event.app.map { Links.restore($0, event: event.id) },
            subjectName: subject(event)?.name ?? "", newerURL: newer.map { Links.event($0.id) },
            olderURL: older.map { Links.event($0.id) }, facts: try await facts(event),
            thread: ThreadModel(graph, around: event, roots: services.roots(in: workspace)))
        return try PageParts(
            templates: services.templates, page: "events/event", parts: ["thread": "parts/thread"]
        ).answer(part, model, frame: model.frame)
    }

    /// The app an event names; those of the backend name its contract.
    private func app(_ name: String) -> String? {
        (services.catalogue.app(name) ?? services.app(speaking: name))?.id
    }

    private func subject(_ event: Event) -> (name: String, url: String)? {
        guard event.href != Links.event(event.id) else {
            return event.app.flatMap { app in
                services.catalogue.app(app).map { ("\($0.name) in the studio", Links.studio(app)) }
            }
        }
        return switch event.kind {
        case .mail, .mailUsed: ("The mail", event.href)
        case .sessionBegan, .sessionChanged, .sessionEnded: ("The session", event.href)
        default: ("The exchange", event.href)
        }
    }

    private func facts(_ event: Event) async throws -> [FactModel] {
        var facts: [FactModel] = []
        if let app = event.app {
            facts.append(FactModel("app", services.catalogue.app(app)?.name ?? app))
        }
        if let id = event.device {
            let device = try await services.simulator.device(id, in: event.workspace)
            facts.append(FactModel("device", device?.label ?? id))
        }
        if let subject = event.subject { facts.append(FactModel("subject", subject)) }
        return facts + event.facts.sorted { $0.key < $1.key }.map { FactModel($0.key, $0.value) }
    }
}
