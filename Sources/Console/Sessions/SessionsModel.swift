/// The list of sessions (`sessions/sessions`).
///
/// Parts: `total` (`parts/total`), `segments` (`parts/segments`), `rows` (`sessions/rows`).
struct SessionsModel: Encodable, Sendable {
    /// `1,284 sessions, 31 devices`.
    var totalText: String
    var filters: FiltersModel
    /// All, active, expired, revoked, signed out.
    var segments: [FiltersModel.Segment]
    /// Nil if the list is empty; `empty` then has the text.
    var sessions: List?
    var empty: EmptyStateModel?
    /// Nil with `sessions`.
    var pager: PagerModel?

    struct List: Encodable, Sendable { var rows: [Row] }

    struct Row: Encodable, Sendable {
        var id: String
        var href: String
        /// Signed out: the row is dimmed.
        var ended: Bool
        /// `ok` active, `warn` expired, `bad` revoked, `none` signed out.
        var tone: String
        /// `Active`, `Expired`, `Revoked`, `Signed out`.
        var stateName: String
        /// The email address, or `Device 8c1e…40f2`.
        var user: String
        var glyph: GlyphModel
        var appName: String
        var device: String
        var backend: String
        /// `Valid`, `Not verified`, `Invalid`, `Unsigned`, `Opaque`, `–`.
        var signature: String
        /// `ok`, `bad`, `warn` or empty.
        var signatureTone: String
        /// `shield`, `info`, `cross`, `warn`; nil for opaque and none.
        var signatureIcon: String?
        /// `4:23`, `6 d`, `Expired 12 min ago`, `–`.
        var expiresIn: String
        /// In the last fifth of the lifetime, or expired.
        var isExpiringSoon: Bool
        /// ISO 8601; nil if the expiry is unknown or the session is signed out.
        var expiresAt: String?
        /// The access token's lifetime in seconds; `0` if unknown.
        var lifetime: String
        /// Number of refreshes; `–` without a refresh token.
        var refreshCount: String
        /// Whether device, token and server differ.
        var isOutOfSync: Bool
        /// ISO 8601; `createdAge` is its display text, `16 s`.
        var createdAt: String
        var createdAge: String
        /// ISO 8601; nil before the first refresh.
        var refreshedAt: String?
        var refreshedAge: String
    }
}
