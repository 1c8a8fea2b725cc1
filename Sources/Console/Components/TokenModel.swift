/// A token's card: verdict, time left, the masked value, its claims.
struct TokenModel: Encodable, Sendable {
    /// `studio.token.access`, `session.token.refresh` …; claims append to it.
    var testID: String
    /// The element's id: `token-access`.
    var domID: String
    /// `Access token`.
    var name: String
    /// `access token`.
    var lowercaseName: String
    /// The event that stored it; nil if that is no longer stored.
    var eventURL: String? = nil
    /// In the last fifth of its lifetime; the card has an amber border.
    var isExpiringSoon: Bool
    /// The page part that revealing replaces: `tokens`.
    var swapPart: String
    /// The signature's status: `Valid signature · ES256 · key 3f2a` (ok, shield),
    /// `Not verified · no key` (neutral, info), `Invalid signature · key …` (bad, cross),
    /// `Unsigned · alg none` (warn, warn), `Opaque` (neutral, no icon).
    var verdict: ChipModel
    /// `Expired` (bad, clock), separate from the verdict; nil otherwise.
    var expiry: ChipModel?
    /// Nil for an opaque token without a known expiry.
    var countdown: CountdownModel?
    /// The refresh token's generations; nil for an access token.
    var generations: GenerationsModel?
    /// The masked value; nil while it is revealed.
    var maskedValue: MaskedValue?
    /// The unmasked value; nil while it is masked.
    var revealedValue: RevealedValue?
    /// The app's own claims first, `iat → exp` last.
    var claims: [Claim]

    struct MaskedValue: Encodable, Sendable {
        /// First 6 and last 4 characters: `eyJhbG…x9Qw`.
        var masked: String
        /// This page with the value revealed: `?reveal=atlas_access_token`.
        var revealURL: String
        /// The API's URL of the storage key: JSON with the unmasked value in `value`.
        var copyURL: String
    }

    /// A JWT's three parts, with the dots in the second and the third; an opaque token is entirely
    /// in `payload`.
    struct RevealedValue: Encodable, Sendable {
        var header: String
        var payload: String
        var signature: String
        /// This page with the value masked.
        var hideURL: String
    }

    struct Claim: Encodable, Sendable {
        var name: String
        /// The claim's name in test ids.
        var claimID: String
        var value: String
        /// The untruncated `value`, for its tooltip.
        var fullValue: String
        /// Whether it is set in a monospaced font: ids, URLs.
        var isCode: Bool
        /// ISO 8601, if `value` is a relative time; nil otherwise.
        var timestamp: String?
    }
}
