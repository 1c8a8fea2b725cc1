import Core
import FoundationEssentials
import Web

/// `/api/events`: the workspace's timeline as server-sent events.
enum EventsAPI {
    // Resumes after `Last-Event-ID` or `?after=`; without either, sends new events only.
    static let endpoints = [
        Endpoint(
            .get, "/api/events", "streamEvents", "Streams the timeline as server-sent events.",
            reading: { parameters -> Int64? in
                let header = parameters.call?.context.request.headers["Last-Event-ID"]
                let after = parameters.query.string(
                    "after", "Resume after this event id; 0 replays all stored events.",
                    schema: ["type": "integer", "minimum": 0])
                guard let text = header ?? after else { return nil }
                let id = Int64(text).flatMap { $0 >= 0 ? $0 : nil }
                if id == nil {
                    parameters.query.addError(
                        "after", "must be an event id; 0 replays all stored events")
                }
                return id
            },
            returning: .response(
                200,
                "Events as they happen. A mail event comes before the end of the "
                    + "request that sent or used the mail, so it has no cause: that "
                    + "exchange.ended has the same details.request.",
                [.init("text/event-stream", [:])])
        ) { call, after in
            let events = call.services.hub.listen(to: try call.workspace, after: after)
            return Response(
                status: 200,
                headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
                body: .stream(EventStreamChunks(events: events, cache: call.encodedEvents)))
        }
    ]
}

extension Event {
    /// The representation in the event stream.
    static let representation = Representation<Event>([
        .init("id") { $0.id }, .init("at") { $0.at }, .init("kind") { $0.kind.rawValue },
        .init("workspace") { $0.workspace }, .init("app") { $0.app }, .init("device") { $0.device },
        .init("cause") { $0.cause }, .init("subject") { $0.subject }, .init("title") { $0.title },
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
