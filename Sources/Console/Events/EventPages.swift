import Apps
import Core
import Inspection
import Simulator
import Templates
import Web

/// `/events/{event}`: a page for every event, such as a screen shown, a value written or a rule
/// that failed.
struct EventPages: Sendable {
    let services: Services

    var routes: [Route] { [.page(Links.event, handler: show)] }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let event = try services.event(context.parameters["event"] ?? "", in: workspace)
        func isSibling(_ other: Event) -> Bool {
            other.app == event.app && other.device == event.device
        }
        let older = services.hub.newestEvent(in: workspace) { $0.id < event.id && isSibling($0) }
        let newer = services.hub.events(
            in: workspace, after: event.id, limit: 1, where: isSibling
        ).first
        let studio = event.app.flatMap(appID).map { StudioLinks(app: $0, device: event.device) }
        let subject = subject(event)
        let page = Page(
            title: event.title, navItem: "studio", url: Links.event(event.id),
            model: [
                "title": event.title, "kind": event.kind.rawValue, "at": event.at.iso8601,
                "time": Format.timeOfDayMilliseconds(event.at),
                "ago": Format.ago(event.at, services.world.now()),
                "timelineURL": studio.map { $0(Links.timeline) } ?? Links.home,
                "timelineName": studio == nil ? "Home" : "Timeline",
                "subjectURL": subject?.url, "subjectName": subject?.name,
                "restoreURL": event.device == nil ? nil : studio?.restore(event: event.id),
                "newerURL": newer.map { Links.event($0.id) },
                "olderURL": older.map { Links.event($0.id) }, "details": try await details(event),
                "eventChain": services.eventChain(around: event, in: workspace),
            ])
        return try await services.respond(
            to: context, page, "events/event", parts: ["chain": "parts/eventchain"])
    }

    /// The id of the app an event names; the backend's events name its contract instead.
    private func appID(_ name: String) -> String? {
        (services.appCatalog.app(name) ?? services.appCatalog.app(withContract: name))?.id
    }

    private func subject(_ event: Event) -> (name: String, url: String)? {
        guard event.href != Links.event(event.id) else {
            return event.app.flatMap { app in
                services.appCatalog.app(app).map {
                    (
                        "\($0.name) in the studio",
                        StudioLinks(app: app, device: event.device).page
                    )
                }
            }
        }
        return switch event.kind {
        case .mailReceived, .mailUsed: ("Message", event.href)
        case .sessionBegan, .sessionChanged, .sessionEnded: ("Session", event.href)
        default: ("Request", event.href)
        }
    }

    private func details(_ event: Event) async throws -> [DetailModel] {
        var rows: [DetailModel] = []
        if let app = event.app {
            rows.append(DetailModel("app", services.appCatalog.app(app)?.name ?? app))
        }
        if let id = event.device {
            let device = try await services.simulator.device(id, in: event.workspace)
            let app = event.app.flatMap(appID) ?? services.firstApp
            rows.append(
                DetailModel(
                    "device", device?.label ?? id,
                    url: device == nil ? nil : app.map { StudioLinks(app: $0, device: id).page }))
        }
        if let subject = event.subject { rows.append(DetailModel("subject", subject)) }
        return rows + event.details.sorted { $0.key < $1.key }.map { DetailModel($0.key, $0.value) }
    }
}

extension EventHub {
    /// The newest stored event of this kind about a subject: a mail's id, a session's …
    func newestEvent(_ kind: Event.Kind, of subject: String, in workspace: String) -> Event? {
        newestEvent(in: workspace) { $0.kind == kind && $0.subject == subject }
    }
}

extension Services {
    /// The event with this id; throws a 404 problem if it is no longer stored.
    func event(_ text: String, in workspace: String) throws(Problem) -> Event {
        guard let id = Int64(text), id > 0, let event = hub.event(id, in: workspace) else {
            throw .unknown(
                "event", "No stored event of this workspace has the id \(text.prefix(40)).",
                apiHint: "GET /api/events?after=0 lists the stored events.")
        }
        return event
    }

    /// The causes and effects around an event (`parts/eventchain`); empty if none is still stored.
    /// `graph` is that around the event, if it is known already.
    func eventChain(
        around current: Event?, in workspace: String, graph: EventGraph? = nil
    ) -> TemplateModel {
        // Removed from the paths of calls.
        let roots = backendRootPaths(in: workspace)
        let chain = current.map { (graph ?? EventGraph(around: $0, in: hub)).chain(of: $0) } ?? []
        let steps = chain.map { event, depth -> TemplateModel in
            return [
                "id": String(event.id), "depth": min(depth, 5), "shape": event.shape,
                "title": event.displayTitle(below: roots), "at": event.at.iso8601,
                "time": Format.timeOfDayMilliseconds(event.at), "href": event.href,
                "isCurrent": event.id == current?.id,
            ]
        }
        return ["steps": steps]
    }
}

extension Event {
    /// The page of the event's subject; else the event's own page.
    var href: String {
        guard let subject else { return Links.event(id) }
        return switch kind {
        case .exchangeEnded: Links.exchange(subject)
        case .mailReceived, .mailUsed: Links.mail(subject)
        case .sessionBegan, .sessionChanged, .sessionEnded: Links.session(subject)
        case .faultApplied: details["exchange"].map { Links.exchange($0) } ?? Links.event(id)
        default: Links.event(id)
        }
    }

    /// The event's title; for a call, with the path relative to the backend's base.
    func displayTitle(below roots: [String]) -> String {
        guard kind == .exchangeEnded, let method = details["method"], let path = details["path"]
        else { return title }
        let outcome = details["status"] ?? "no response"
        return "\(method) \(Format.path(path, below: roots)) \(outcome)"
    }

    /// The event's symbol on every page.
    var shape: TimelineModel.Shape { TimelineEntry(self)?.shape ?? .screen }
}
