package import Web

/// libmicrohttpd on one address: every request suspended while Swift works.
package final class Server: Sendable {
    /// Binds and starts to answer with `responder`.
    package init(
        _ configuration: ServerConfiguration, responder: @escaping Responder
    ) throws(ServerError) {
        preconditionFailure("not built yet")
    }

    /// The bound port (useful when 0 was asked for).
    package var port: UInt16 { preconditionFailure("not built yet") }

    /// Stops accepting, lets what is under way finish for at most `grace`,
    /// ends streams, and stops.
    package func stop(grace: Duration = .seconds(5)) async {
        preconditionFailure("not built yet")
    }
}
