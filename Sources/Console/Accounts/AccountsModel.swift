/// The list of accounts (`accounts/accounts`).
///
/// Parts: `total` (`parts/total`), `segments` (`parts/segments`), `rows`
/// (`accounts/rows`).
struct AccountsModel: Encodable, Sendable {
    var frame: FrameModel
    var partURL: String
    /// Event kinds after which the list may be another.
    var liveEventKinds: String
    /// `1,002 of 5 apps`.
    var totalText: String
    var addURL: String
    var bulkAddURL: String
    var filters: FiltersModel
    /// All, verified, unverified, locked, disabled.
    var segments: [FiltersModel.Segment]
    /// Nil when there is nothing to list; `empty` then says so.
    var accounts: List?
    var empty: EmptyStateModel?
    /// Nil with `accounts`.
    var pager: PagerModel?

    struct List: Encodable, Sendable { var rows: [Row] }

    struct Row: Encodable, Sendable {
        var id: String
        var href: String
        /// Disabled: the whole row is dim.
        var ended: Bool
        /// `ok` verified, `warn` unverified, `bad` locked, `none` disabled.
        var tone: String
        var stateName: String
        /// The address, or `device 0b54a7a2`.
        var user: String
        var displayName: String
        var glyph: GlyphModel
        var appName: String
        /// Sessions that last, `–` for none.
        var activeSessions: String
        /// ISO 8601, and `16 s` for a person.
        var createdAt: String
        var createdAge: String
        /// Nil before the first.
        var lastLoginAt: String?
        var lastLoginAge: String
    }
}
