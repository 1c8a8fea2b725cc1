import Core
import Synchronization
import Web

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
    private let slots: Mutex<[Entry?]>

    private struct Entry {
        let workspace: String
        let id: Int64
        let bytes: [UInt8]
    }

    private static let capacity: Int64 = 64

    init() { slots = Mutex(Array(repeating: nil, count: Int(Self.capacity))) }

    func bytes(of event: Event) -> [UInt8] {
        let slot = Int(event.id % Self.capacity)
        if let entry = slots.withLock({ $0[slot] }), entry.id == event.id,
            entry.workspace == event.workspace
        {
            return entry.bytes
        }
        let bytes = ServerSentEvents.encode(
            id: String(event.id), event: event.kind.rawValue, data: event.json.bytes)
        let entry = Entry(workspace: event.workspace, id: event.id, bytes: bytes)
        slots.withLock { $0[slot] = entry }
        return bytes
    }
}
