import Core
import Web

/// Events as the chunks of a stream, each encoded when it is taken: what
/// waits for a slow listener waits in the hub, which bounds it.
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

        /// The opening first, then one event each.
        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [UInt8]? {
            guard hasSentOpening else {
                hasSentOpening = true
                return ServerSentEvents.preamble
            }
            return await events.next(isolation: actor).map(cache.bytes)
        }
    }
}
