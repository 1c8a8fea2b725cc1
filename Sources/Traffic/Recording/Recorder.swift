package import Surroundings
package import Web

/// Sends requests on behalf of simulated devices and records what came of it.
///
/// Every secret is taken out before anything is stored: passwords for good,
/// tokens into sealed values of their own. The answer is returned at once; the
/// record follows in a bounded queue (bytes, not entries) and is on disk soon
/// after, in batches.
package final class Recorder: Sendable {
    package init(
        transport: Transport, store: ExchangeStore, world: World, hub: EventHub
    ) {
        preconditionFailure("not built yet")
    }

    /// Sends and records one attempt. Publishes `exchange.ended`.
    package func send(
        _ request: OutboundRequest, as context: ExchangeContext
    ) async -> Sent {
        preconditionFailure("not built yet")
    }

    /// What the caller needs of a recorded delivery.
    package struct Sent: Sendable {
        /// The exchange's identifier, `exc_…`.
        package var id: String
        /// The id of the `exchange.ended` event.
        package var event: Int64
        package var delivery: Delivery
    }

    /// Waits until everything sent so far is stored (tests, a clean stop).
    package func flush() async { preconditionFailure("not built yet") }
}
