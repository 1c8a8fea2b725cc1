/// Limits of a client.
package struct ClientConfiguration: Sendable {
    /// Loopback ports that are never connected to: the console's own.
    package var refusedPorts: Set<UInt16> = []
    /// Bytes of a request body; more is `.requestTooLarge`.
    package var requestLimit: Int = 1 << 20
    /// Bytes of a response body; more is `.tooLarge`.
    package var responseLimit: Int = 8 << 20
    /// Fields of a response's header block; more is `.invalidResponse`.
    package var headerCountLimit: Int = 256
    /// Bytes of a response's header block; more is `.invalidResponse`.
    package var headerSizeLimit: Int = 128 << 10
    /// Active and waiting requests; one more fails immediately.
    package var transferLimit: Int = 1024
    /// Connections kept open for the next request.
    package var idleConnectionLimit: Int = 128
    /// Sent as `User-Agent` unless the request has one.
    package var userAgent: String = "Foyer"
    /// A PEM file to trust instead of the system's, for tests.
    package var certificateAuthorityFile: String? = nil

    package init() {}
}
