/// Why an outbound request got no response.
package struct TransportFailure: Error, Sendable, Equatable {
    package var kind: Kind
    /// A sentence for a developer; contains no header, body or secret.
    package var detail: String

    package init(kind: Kind, detail: String) {
        self.kind = kind
        self.detail = detail
    }

    /// The raw value appears in the API and in recorded exchanges.
    package enum Kind: String, Sendable, CaseIterable {
        /// The URL is malformed, not http(s), or http to a remote host.
        case refusedURL
        /// The address is the console's own, or of a kind that is never allowed.
        case refusedAddress
        /// The host name has no address.
        case nameLookup
        /// The connection was refused or lost.
        case connection
        /// The certificate or the TLS handshake failed.
        case tls
        case timeout
        /// The received bytes are not HTTP.
        case invalidResponse
        /// The response exceeds the limit (8 MiB).
        case tooLarge
        /// The request exceeds the limit (1 MiB).
        case requestTooLarge
        /// The caller no longer waits.
        case cancelled
    }
}
