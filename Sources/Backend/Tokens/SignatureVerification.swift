/// The result of verifying a token's signature; expiry is checked elsewhere.
package struct SignatureVerification: Sendable, Equatable {
    package var status: Status
    /// The algorithm of the key used to verify, not the one named in the token.
    package var algorithm: String?
    package var keyID: String?
    /// Display text: where the key is from, or why there is none.
    package var reason: String

    package init(status: Status, algorithm: String? = nil, keyID: String? = nil, reason: String) {
        self.status = status
        self.algorithm = algorithm
        self.keyID = keyID
        self.reason = reason
    }

    /// The raw value is used in the API.
    package enum Status: String, Sendable, CaseIterable {
        case verified, unverified, invalid, unsigned, opaque
    }
}
