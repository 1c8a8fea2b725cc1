import Surroundings
import Web

/// Events as the chunks of a stream, each encoded when it is taken: what
/// waits for a slow listener waits in the hub, which bounds it.
struct EventChunks: AsyncSequence, Sendable {
    let events: AsyncStream<Event>
    let encoded: EncodedEvents

    func makeAsyncIterator() -> Iterator {
        Iterator(events: events.makeAsyncIterator(), encoded: encoded)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var events: AsyncStream<Event>.Iterator
        fileprivate let encoded: EncodedEvents
        private var isOpen = false

        fileprivate init(events: AsyncStream<Event>.Iterator, encoded: EncodedEvents) {
            self.events = events
            self.encoded = encoded
        }

        /// The opening first, then one event each.
        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [UInt8]? {
            guard isOpen else {
                isOpen = true
                return ServerSentEvents.opening
            }
            return await events.next(isolation: actor).map(encoded.bytes)
        }
    }
}
