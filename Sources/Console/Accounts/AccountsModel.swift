/// The list of accounts (`accounts/accounts`).
///
/// Parts: `total` (`parts/total`), `segments` (`parts/segments`), `rows` (`accounts/rows`).
struct AccountsModel: Encodable, Sendable {
    /// Event kinds that may change the list.
    var liveEventKinds: String
    /// `5 accounts`.
    var totalText: String
    var addURL: String
    var bulkAddURL: String
    var filters: FiltersModel
    /// All, verified, unverified, locked, disabled.
    var segments: [FiltersModel.Segment]
    /// Nil when there is nothing to list; `empty` is then set.
    var accounts: List?
    var empty: EmptyStateModel?
    /// Nil if `accounts` is nil.
    var pager: PagerModel?

    struct List: Encodable, Sendable { var rows: [Row] }

    struct Row: Encodable, Sendable {
        var id: String
        var href: String
        /// Disabled; the row is dimmed.
        var ended: Bool
        /// `ok` verified, `warn` unverified, `bad` locked, `none` disabled.
        var tone: String
        var stateName: String
        /// The address, or `device 0b54a7a2`.
        var user: String
        var displayName: String
        var glyph: GlyphModel
        var appName: String
        /// The number of active sessions, `–` for none.
        var activeSessions: String
        /// ISO 8601; `createdAge` is the age, `16 s`.
        var createdAt: String
        var createdAge: String
        /// Nil before the first sign-in.
        var lastLoginAt: String?
        var lastLoginAge: String
    }
}
