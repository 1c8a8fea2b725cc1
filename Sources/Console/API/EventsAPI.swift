import Core
import Web

/// `/api/events`: the workspace's timeline as server-sent events.
struct EventsAPI: Sendable {
    let services: Services
    let scopeResolver: ScopeResolver
    private let cache = EncodedEventCache()

    init(services: Services, scopeResolver: ScopeResolver) {
        self.services = services
        self.scopeResolver = scopeResolver
    }

    /// Resumes after `Last-Event-ID` or `?after=`; without either, sends new events only.
    @Sendable func stream(_ context: RequestContext) async throws -> Response {
        let workspace = try scopeResolver.workspace(of: context)
        let queryParameters = try context.query(allowing: ["after"])
        let lastEventID = context.request.headers["Last-Event-ID"] ?? queryParameters["after"]
        let after = try lastEventID.map { text throws(Problem) in
            guard let id = Int64(text), id >= 0 else {
                throw Problem.badParameter("after", "is an event's id; 0 replays what is kept")
            }
            return id
        }
        return Response(
            status: 200,
            headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
            body: .stream(
                EventStreamChunks(
                    events: services.hub.listen(to: workspace, after: after), cache: cache)))
    }
}
