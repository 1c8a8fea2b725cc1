/// A token's card: verdict, time left, the masked value, its claims.
struct TokenModel: Encodable, Sendable {
    /// `studio.token.access`, `session.token.refresh` …; facts append to it.
    var testID: String
    /// An id of the document: `token-access`.
    var domID: String
    /// `Access token`.
    var name: String
    /// `access token`.
    var lowercaseName: String
    /// What stored it; nil where that is not known any more.
    var eventURL: String? = nil
    /// Amber edge, in the last fifth of its life.
    var isExpiringSoon: Bool
    /// The part a reveal swaps: `tokens`.
    var swapPart: String
    /// What is known of the signature: `Signature verified · ES256 · key
    /// 3f2a` (ok, shield), `Not verified · no key` (neutral, info),
    /// `Signature wrong · key …` (bad, cross), `Unsigned · alg none` (warn,
    /// warn), `Opaque` (neutral, no icon).
    var verdict: ChipModel
    /// `expired` (bad, clock), apart from the verdict; nil otherwise.
    var expiry: ChipModel?
    /// Nil for an opaque token whose life is not told.
    var countdown: CountdownModel?
    /// The refresh token's generations; nil for an access token.
    var generations: GenerationsModel?
    /// The masked value; nil while it is revealed.
    var maskedValue: MaskedValue?
    /// The whole value; nil while it is masked.
    var revealedValue: RevealedValue?
    /// The app's own claims first, `iat → exp` last.
    var claims: [Claim]

    struct MaskedValue: Encodable, Sendable {
        /// First 6 and last 4 characters: `eyJhbG…x9Qw`.
        var masked: String
        /// This page with the value shown: `?reveal=atlas_access_token`.
        var revealURL: String
        /// JSON with the whole value in `value`: the API's storage key.
        var copyURL: String
    }

    /// A JWT in its three parts, the dots with the second and third; an
    /// opaque token has everything in `payload`.
    struct RevealedValue: Encodable, Sendable {
        var header: String
        var payload: String
        var signature: String
        /// This page with the value masked.
        var hideURL: String
    }

    struct Claim: Encodable, Sendable {
        var name: String
        /// `claim` as a part of a test id.
        var claimID: String
        var value: String
        /// `value` uncut, for its tooltip.
        var fullValue: String
        /// Whether it is set in mono: ids, URLs.
        var isCode: Bool
        /// ISO 8601, where `value` says how long ago it was; nil otherwise.
        var timestamp: String?
    }
}
