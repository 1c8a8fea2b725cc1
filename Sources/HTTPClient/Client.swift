package import Web

/// libcurl's multi interface on one thread, connections kept.
package final class Client: Sendable {
    /// `refusedPorts` are our own loopback ports that must never be reached,
    /// in any spelling, checked on the resolved address.
    package init(_ configuration: ClientConfiguration) throws(TransportFailure) {
        preconditionFailure("not built yet")
    }

    /// The way out through this client.
    package var transport: Transport { preconditionFailure("not built yet") }

    /// Ends every transfer and the thread.
    package func close() async { preconditionFailure("not built yet") }
}
