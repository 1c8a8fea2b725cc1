import Surroundings
import Web

/// `/api/events`: the workspace's timeline as server-sent events.
struct EventsAPI: Sendable {
    let services: Services
    let visitors: Visitors
    private let encoded = EncodedEvents()

    init(services: Services, visitors: Visitors) {
        self.services = services
        self.visitors = visitors
    }

    /// Resumes after `Last-Event-ID` or `?after=`; without either, only what
    /// follows.
    @Sendable func stream(_ visit: Visit) async throws -> Response {
        let workspace = try visitors.workspace(of: visit)
        let asked = try visit.query(allowing: ["after"])
        let named = visit.request.headers["Last-Event-ID"] ?? asked["after"]
        let after = try named.map { text throws(Problem) in
            guard let id = Int64(text), id >= 0 else {
                throw Problem.badParameter("after", "is an event's id; 0 replays what is kept")
            }
            return id
        }
        return Response(
            status: 200,
            headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream(
                EventChunks(
                    events: services.hub.listen(to: workspace, after: after), encoded: encoded)))
    }
}
