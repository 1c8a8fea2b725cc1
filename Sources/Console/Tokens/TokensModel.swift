/// The token inspector (`tokens/tokens`).
struct TokensModel: Encodable, Sendable {
    var action: String
    /// Nil if the input is valid.
    var error: String?
    /// Nil before a token is pasted.
    var result: Result?

    struct Result: Encodable, Sendable {
        /// One card per token.
        var cards: [Card]
        /// Nil for a single token.
        var diff: TokenDiffModel?
    }

    struct Card: Encodable, Sendable {
        var card: TokenModel
        var headerDetails: [DetailModel]
        /// Where the key is from, or why there is none.
        var reason: String
        /// `Valid until 14:39:02.`
        var expiryText: String
        var unchecked: [DetailModel]
    }
}
