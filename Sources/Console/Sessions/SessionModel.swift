import Core
import FoundationEssentials
import Inspection
import Simulator
import Web

/// The page of one session (`sessions/session`).
///
/// Parts, each a template `sessions/<name>`: `state`, `comparison`, `family`, `tokens`, `storage`,
/// `exchanges`, `status`.
struct SessionModel: Encodable, Sendable {
    var glyph: GlyphModel
    /// The email address, or `Device 8c1e…40f2`.
    var user: String
    /// `Active` (ok), `Expired` (warn), `Revoked` (bad), `Signed out` (neutral).
    var stateChip: ChipModel
    /// `Atlas on iPhone 15`.
    var locationText: String
    /// POST: checks the token at its backend; nil if the app has no call that can.
    var probeAction: String?
    /// POST; nil after the session's end or without a refresh token.
    var refreshAction: String?
    /// GET: opens a confirmation; nil after the session's end.
    var signOutURL: String?
    var comparison: SessionComparisonModel
    var family: FamilyModel
    /// Access first, then refresh; test ids begin with `session.token.`.
    var tokenCards: [TokenModel]
    /// The comparison of the last two access tokens; nil before the first refresh.
    var compareURL: String?
    /// The app's items on the device now.
    var storage: StorageModel
    /// Link to the session's traffic, and its text: `All 14`.
    var trafficURL: String
    var trafficText: String
    /// The newest.
    var exchanges: [ExchangeRowModel]
    /// `Still accepted`, `Expired`, `Signed out`, `Revoked`.
    var statusTitle: String
    /// One or two sentences: the reason, and the expected result of the next call.
    var statusText: String
    /// 56 px (`big`); nil if the expiry is unknown or the session ended.
    var remaining: CountdownModel?
    /// The backend's last response to a call with the token; nil without one.
    var probe: ProbeModel?
    var unexpiredTokens: UnexpiredTokensModel
    var details: [DetailModel]
    /// Newest first.
    var history: [HistoryEntryModel]
}

/// A line of a session's history or test log.
struct HistoryEntryModel: Encodable, Sendable {
    var id: String
    /// ISO 8601; `time` is its display text, `14:34:50`.
    var at: String
    var time: String
    /// `Silent refresh, generation 2`.
    var text: String
    /// `bad`, `warn` or empty.
    var tone: String
    /// The exchange that caused it; nil without one.
    var exchangeURL: String?

    init(id: String, _ at: Date, _ text: String, tone: String, exchange: String?) {
        self.id = id
        self.at = at.iso8601
        time = Format.timeOfDay(at)
        self.text = text
        self.tone = tone
        exchangeURL = exchange.map { Links.exchange($0) }
    }
}

extension Session {
    /// The email address, else the user's id, else the device.
    var userLabel: String {
        email ?? userID.map { "User \(Format.shortID($0))" } ?? "Device \(Format.shortID(device))"
    }

    var stateChip: ChipModel { ChipModel(text: state.label, tone: state.tone) }
}

extension Session.State {
    /// `Active`, `Signed out`.
    var label: String { self == .signedOut ? "Signed out" : rawValue.capitalizedFirst }

    var tone: ChipModel.Tone {
        switch self {
        case .active: .ok
        case .expired: .warn
        case .revoked: .bad
        case .signedOut: .neutral
        }
    }
}
