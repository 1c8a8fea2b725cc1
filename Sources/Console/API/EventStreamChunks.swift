import Core
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
