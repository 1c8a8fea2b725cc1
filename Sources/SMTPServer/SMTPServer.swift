import Dispatch
package import Email
import Glibc
package import HTTPServer

/// An SMTP server on one address: sockets and time limits around `SMTPSession`.
///
/// One thread waits for all connections with poll(2), so that none of them blocks another task.
package final class SMTPServer: Sendable {
    private let loop: SMTPLoop
    /// The bound port.
    package let port: UInt16

    /// Stores a message, and returns what became of it.
    package typealias Deliver = @Sendable (SMTPDelivery) async -> SMTPDelivery.Outcome

    /// Serves the clients that connect to `listener`; `deliver` is called for one message of a
    /// connection at a time.
    package init(
        _ listener: consuming ListeningSocket, _ configuration: SMTPConfiguration,
        connectionLimit: Int = 32, deliver: @escaping Deliver
    ) throws(ServerError) {
        port = listener.port
        loop = try SMTPLoop(listener.takeDescriptor(), connectionLimit: connectionLimit)
        let loop = loop
        DispatchQueue(label: "foyer.smtp").async {
            loop.run(configuration) { connection, delivery in
                Task { loop.finish(connection, await deliver(delivery)) }
            }
        }
    }

    deinit { loop.requestStop() }

    /// Accepts no more messages, lets those being stored finish, tells idle clients, and stops.
    package func stop() async {
        await withCheckedContinuation { continuation in
            loop.requestStop { continuation.resume() }
        }
    }
}
