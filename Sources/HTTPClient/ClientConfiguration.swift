/// Bounds of a client.
package struct ClientConfiguration: Sendable {
    /// Loopback ports never talked to: the console's own.
    package var refusedPorts: Set<UInt16> = []
    /// Bytes of a request body; more is `.requestTooLarge`.
    package var requestLimit: Int = 1 << 20
    /// Bytes of an answer's body; more is `.tooLarge`.
    package var answerLimit: Int = 8 << 20
    /// Fields of an answer's header block; more is `.invalidAnswer`.
    package var headerCountLimit: Int = 256
    /// A PEM file to trust instead of the system's, for tests.
    package var certificateAuthorities: String? = nil

    package init() {}
}
