/// Bounds of a client.
package struct ClientConfiguration: Sendable {
    /// Loopback ports never talked to: the console's own.
    package var refusedPorts: Set<UInt16> = []
    /// Bytes of a request body; more is `.requestTooLarge`.
    package var requestLimit: Int = 1 << 20
    /// Bytes of an answer's body; more is `.tooLarge`.
    package var responseLimit: Int = 8 << 20
    /// Fields of an answer's header block; more is `.invalidAnswer`.
    package var headerCountLimit: Int = 256
    /// Bytes of an answer's header block; more is `.invalidAnswer`.
    package var headerSizeLimit: Int = 128 << 10
    /// Requests under way and waiting; one more is a failure at once.
    package var transferLimit: Int = 1024
    /// Connections kept open for the next request.
    package var idleConnectionLimit: Int = 128
    /// Sent as `User-Agent` unless the request has one of its own.
    package var userAgent: String = "Foyer"
    /// A PEM file to trust instead of the system's, for tests.
    package var certificateAuthorityFile: String? = nil

    package init() {}
}
