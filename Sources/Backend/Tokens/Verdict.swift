/// What is known of a token's signature; expiry is judged elsewhere.
package struct Verdict: Sendable, Equatable {
    package var word: Word
    /// The algorithm of the key that judged, not of the token.
    package var algorithm: String?
    package var keyID: String?
    /// Where the key came from, or why there is none, for a person.
    package var reason: String

    package init(word: Word, algorithm: String? = nil, keyID: String? = nil, reason: String) {
        self.word = word
        self.algorithm = algorithm
        self.keyID = keyID
        self.reason = reason
    }

    /// The raw value is the API's word.
    package enum Word: String, Sendable { case verified, unverified, invalid, unsigned, opaque }
}
