/// Why there is no answer.
package struct TransportFailure: Error, Sendable, Equatable {
    package var kind: Kind
    /// A sentence for a developer; holds no header, body or secret.
    package var detail: String

    package init(kind: Kind, detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The raw value is what the API and the recorded exchange say.
    package enum Kind: String, Sendable, CaseIterable {
        /// The URL is malformed, not http(s), or http to a remote host.
        case refusedURL
        /// The address is the console's own, or of a kind never talked to.
        case refusedAddress
        /// The host name has no address.
        case nameLookup
        /// Nothing listens there, or the connection was lost.
        case connection
        /// The certificate or the TLS handshake failed.
        case tls
        case timeout
        /// What came is no HTTP.
        case invalidResponse = "invalidAnswer"
        /// The answer is larger than we take (8 MiB).
        case tooLarge
        /// The request is larger than we send (1 MiB).
        case requestTooLarge
        /// Whoever asked no longer waits.
        case cancelled
    }
}
