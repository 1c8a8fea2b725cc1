/// What is known of a token's signature; expiry is judged elsewhere.
package struct SignatureVerification: Sendable, Equatable {
    package var status: Status
    /// The algorithm of the key that judged, not of the token.
    package var algorithm: String?
    package var keyID: String?
    /// Where the key came from, or why there is none, for a person.
    package var reason: String

    package init(status: Status, algorithm: String? = nil, keyID: String? = nil, reason: String) {
        self.status = status
        self.algorithm = algorithm
        self.keyID = keyID
        self.reason = reason
    }

    /// The raw value is the API's word.
    package enum Status: String, Sendable { case verified, unverified, invalid, unsigned, opaque }
}
