import Core
import FoundationEssentials
import Web

/// `/api/events`: the workspace's timeline as server-sent events.
enum EventsAPI {
    // Resumes after `Last-Event-ID` or `?after=`; without either, sends new events only.
    static let endpoints = [
        Endpoint(
            .get, "/api/events", "streamEvents",
            "Streams the timeline as server-sent events, or lists it.",
            reading: { parameters -> (after: Int64?, EventFilter, format: String?, limit: Int) in
                let header = parameters.call?.context.request.headers["Last-Event-ID"]
                let after = parameters.query.string(
                    "after", "Resume after this event id; 0 replays all stored events.",
                    schema: ["type": "integer", "minimum": 0])
                let filter = EventFilter(&parameters.query)
                let format = parameters.query.choice(
                    "format", "A stream, or a JSON list of stored events, oldest first.",
                    among: ["stream", "json"])
                let limit = parameters.query.value(
                    "limit", "With format=json: the most events; 500 by default.",
                    schema: Schema.integer(in: 1...5_000), rule: "must be 1 to 5000"
                ) { Int($0).flatMap { (1...5_000).contains($0) ? $0 : nil } }
                let text = header ?? after
                let id = text.flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
                if text != nil, id == nil {
                    parameters.query.addError(
                        "after", "must be an event id; 0 replays all stored events")
                }
                return (id, filter, format, limit ?? 500)
            },
            returning: .response(
                200,
                "Events as they happen; with format=json, those that are stored. A mail event comes before the end of the "
                    + "request that sent or used the mail, so it has no cause: that "
                    + "exchange.ended has the same details.request.",
                [.init("text/event-stream", [:]), .json(list.schema)], components: list.components)
        ) { call, input in
            let (after, filter, format, limit) = input
            let (hub, workspace) = (call.services.hub, try call.workspace)
            if format == "json" {
                let events = hub.events(
                    in: workspace, after: after ?? 0, where: filter.matches)
                return .plainJSON(
                    list.json((Array(events.prefix(limit)), events.count, events.count > limit)))
            }
            guard filter.isEmpty else {
                throw Problem.badParameter(
                    filter.names[0], "requires format=json; a stream has all events")
            }
            let events = hub.listen(to: workspace, after: after)
            return Response(
                status: 200,
                headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
                body: .stream(EventStreamChunks(events: events, cache: call.encodedEvents)))
        },

        Endpoint(
            .get, "/api/events/{event}", "readEvent", "Returns one stored event.",
            returning: .ok(Event.representation, "The event.")
        ) { call in try call.services.event(call.path("event"), in: try call.workspace) },

        Endpoint(
            .get, "/api/events/wait", "waitForEvent",
            "Waits for a matching event; returns the first stored one after `after` at once.",
            reading: { parameters -> (Int64?, EventFilter, Duration) in
                let after = parameters.query.value(
                    "after", "Only later events than this; by default those from now on.",
                    schema: ["type": "integer", "minimum": 0], rule: "must be an event id"
                ) { Int64($0).flatMap { $0 >= 0 ? $0 : nil } }
                return (after, EventFilter(&parameters.query), parameters.query.waitTimeout())
            }, returning: .ok(Event.representation, "The event."),
            errors: [504: "No matching event in time."]
        ) { call, input in
            let (after, filter, timeout) = input
            let (hub, workspace) = (call.services.hub, try call.workspace)
            let start = after ?? hub.lastID(in: workspace)
            let event = try await EventWaiter(call).result(
                within: timeout, after: filter.matches
            ) {
                (
                    hub.events(in: workspace, after: start, limit: 1, where: filter.matches).first,
                    nil
                )
            }
            guard let event else {
                throw Problem.waitTimedOut(
                    "No matching event in time", "Nothing matched after event \(start).",
                    apiHint: "GET /api/events?format=json lists the stored events.")
            }
            return event
        },
    ]

    private static let list = Representation<(events: [Event], total: Int, hasMore: Bool)>(
        "EventList",
        [
            .init("total") { $0.total }, .init("totalIsExact") { _ in true },
            .init("items", array: Event.representation) { $0.events },
            .init("next") { $0.hasMore ? $0.events.last?.id : nil },
        ])
}

/// The events that a call is about.
private struct EventFilter: Sendable {
    private let kind: Event.Kind?
    private let app: String?
    private let device: String?
    private let subject: String?

    init(_ query: inout QueryReader) {
        kind = query.choice("kind", "Only of this kind.", of: Event.Kind.self)
        app = query.string("app", "Only of this app.")
        device = query.string("device", "Only of this device.")
        subject = query.string("subject", "Only about this exchange, session, mail, key or screen.")
    }

    var isEmpty: Bool { names.isEmpty }

    /// The parameters that were given.
    var names: [String] {
        [("kind", kind?.rawValue), ("app", app), ("device", device), ("subject", subject)]
            .compactMap { name, value in value.map { _ in name } }
    }

    @Sendable func matches(_ event: Event) -> Bool {
        kind.map { $0 == event.kind } ?? true && app.map { $0 == event.app } ?? true
            && device.map { $0 == event.device } ?? true
            && subject.map { $0 == event.subject } ?? true
    }
}

extension Event {
    /// The representation in the event stream.
    static let representation = Representation<Event>(
        "Event",
        [
            .init("id") { $0.id }, .init("at") { $0.at }, .init("kind") { $0.kind.rawValue },
            .init("workspace") { $0.workspace }, .init("app") { $0.app },
            .init("device") { $0.device },
            .init("cause") { $0.cause }, .init("subject") { $0.subject },
            .init("title") { $0.title },
            .init("details") { $0.details },
        ])
}
/// Events as chunks of a response body, each encoded when it is read.
///
/// Events that wait for a slow listener are buffered by the hub, which bounds them.
struct EventStreamChunks: AsyncSequence, Sendable {
    let events: AsyncStream<Event>
    let cache: EncodedEventCache

    func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), cache: cache)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<Event>.Iterator
        fileprivate let cache: EncodedEventCache
        private var hasSentOpening = false

        fileprivate init(events: AsyncStream<Event>.Iterator, cache: EncodedEventCache) {
            self.events = events
            self.cache = cache
        }

        /// Returns the preamble first, then one event per call.
        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [UInt8]? {
            guard hasSentOpening else {
                hasSentOpening = true
                return ServerSentEvents.preamble
            }
            return await events.next(isolation: actor).map(cache.bytes)
        }
    }
}

/// Caches events in the stream's encoding, so that each is encoded once for all listeners.
final class EncodedEventCache: Sendable {
    /// The newest events are enough, since listeners follow one another closely. Events are
    /// immutable, so entries never become stale.
    private let encodedEvents = SharedCache<Key, [UInt8]>(capacity: 64)

    private struct Key: Hashable {
        var workspace: String
        var event: Int64
    }

    func bytes(of event: Event) -> [UInt8] {
        encodedEvents.value(for: Key(workspace: event.workspace, event: event.id)) {
            ServerSentEvents.encode(
                id: String(event.id), event: event.kind.rawValue,
                data: Event.representation.json(event).bytes)
        }
    }
}
