/// A pasted token taken apart (`tokens/tokens`).
struct TokensModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var action: String
    /// What was wrong with what was pasted; nil if nothing was.
    var error: String?
    /// Nil before something was pasted.
    var result: Result?

    struct Result: Encodable, Sendable {
        /// One card, or two.
        var cards: [Card]
        /// Nil for one token.
        var diff: TokenDiffModel?
    }

    struct Card: Encodable, Sendable {
        var card: TokenModel
        var headerDetails: [DetailModel]
        /// Where the key came from, or why there is none.
        var reason: String
        /// `Its time is not over.`
        var expiryText: String
        var unchecked: [DetailModel]
    }
}
