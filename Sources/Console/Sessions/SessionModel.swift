/// One session in full (`sessions/session`).
///
/// Parts, each a template `sessions/<name>`: `state`, `views`, `family`,
/// `tokens`, `storage`, `exchanges` (property `calls`), `known`.
struct SessionModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    var glyph: GlyphModel
    /// The address, or `device 8c1e…40f2`.
    var user: String
    /// `active` (ok), `expired` (warn), `revoked` (bad), `signed out`
    /// (neutral).
    var stateChip: ChipModel
    /// `Atlas on iPhone 15`.
    var locationText: String
    /// POST: asks its backend; nil where the app has no call that would tell.
    var probeAction: String?
    /// POST; nil once it ended or without a refresh token.
    var refreshAction: String?
    /// GET: asks first; nil once it ended.
    var signOutURL: String?
    var comparison: SessionComparisonModel
    var family: FamilyModel
    /// Access first, then refresh; test ids begin `session.token.`.
    var tokenCards: [TokenModel]
    /// What changed with the last refresh; nil before the first.
    var compareURL: String?
    /// What the device keeps for the app now.
    var storage: StorageModel
    var calls: Calls
    var status: Status

    struct Calls: Encodable, Sendable {
        /// The traffic of this session, and the link's words: `All 14`.
        var trafficURL: String
        var trafficText: String
        var anyExchanges: Bool
        var exchanges: [ExchangeRowModel]
    }

    struct Status: Encodable, Sendable {
        /// `Still accepted`, `Expired`, `Signed out`, `Revoked`.
        var statusTitle: String
        /// 56 px (`big`); nil when no end is told or the session ended.
        var remaining: CountdownModel?
        /// One or two sentences: why, and what the next call will meet.
        var statusText: String
        /// What its backend was last heard to say; nil if nobody asked.
        var probe: ProbeModel?
        /// Why nobody can ask; nil where one can.
        var probeUnavailableReason: String?
        var unexpiredTokens: UnexpiredTokensModel
        var details: [DetailModel]
        /// Newest first.
        var history: [HistoryEntry]
    }

    struct HistoryEntry: Encodable, Sendable {
        var id: String
        /// ISO 8601, and `14:34:50` for a person.
        var at: String
        var time: String
        /// `Silent refresh, generation 2`.
        var text: String
        /// `bad`, `warn` or empty.
        var tone: String
        /// The exchange that did it; nil where none did.
        var exchangeURL: String?
    }
}
