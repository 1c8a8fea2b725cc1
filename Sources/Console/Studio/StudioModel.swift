/// The studio of one app on this device (`studio/studio`).
///
/// Parts, each a template `studio/<name>`: `actions`, `device`, `kills`; and
/// those with a property of their own: `state`, `tokens`, `storage`,
/// `exchanges` (property `calls`), `mail` (property `post`), `timeline`. A
/// part is rendered with the whole model.
struct StudioModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var partURL: String
    var appID: String
    /// What the strip shows, as a page of its own.
    var timelineURL: String
    var appName: String
    var deviceID: String
    /// CSS hex of the light behind the phone in the dark.
    var glow: String
    var appSwitch: AppSwitchModel

    /// POST `backend=<id>`.
    var backendAction: String
    var backends: [Choice]
    /// The chosen one's name.
    var backendName: String
    /// Without scheme and API path: `127.0.0.1:7071/main/atlas`.
    var base: String
    var fullBase: String
    /// The page that edits a real backend's address and settings; nil on the
    /// embedded one.
    var backendEditURL: String?
    /// Where it says how a real app is pointed here.
    var proxyURL: String

    /// POST; nil without an access token that could expire.
    var expireAction: String?
    /// POST: cold start.
    var relaunchAction: String
    /// POST: killed in the middle, then started.
    var killAction: String
    /// POST `armed`, `on` or `off`: killed as the next action's request
    /// leaves.
    var killNextAction: String
    /// Whether it is to be.
    var isKillArmed: Bool
    /// GET: asks before everything stored is forgotten.
    var clearStorageURL: String

    /// What the phone shows first: the device's current screen, so that a
    /// page loaded again is no launch; `/apps/<id>/` before the first.
    var screenURL: String
    /// `/apps/<id>/`: screens lie below it; the phone goes here to relaunch.
    var phoneBase: String
    /// A device size: `iphone15`, `iphone15promax`, `iphonese`, `ipad`.
    var sizeID: String
    var sizeName: String
    /// `portrait` or `landscape`.
    var orientation: String
    /// Status bar ink: `on-dark`, `on-light`, or `by-system`.
    var statusBar: String

    /// What a screen hears of the device, in words: the phone shows its
    /// screen anew when they change.
    var deviceDisplayKey: String
    /// POST any of the six below it.
    var deviceAction: String
    var sizes: [Choice]
    var builds: [Choice]
    var biometrics: [Choice]
    var orientations: [Choice]
    var appearances: [Choice]
    var textSizes: [Choice]

    /// Sets of conditions for this app on this device.
    var faultPresets: [FaultsModel.PresetRow] = []

    var screenGraph: ScreenGraphModel
    var tokens: TokensModel
    var storage: StorageModel
    var recentExchanges: RecentExchanges
    var recentMail: RecentMail
    var timeline: TimelineModel

    struct Choice: Encodable, Sendable {
        var id: String
        var name: String
        var chosen: Bool
    }

    struct TokensModel: Encodable, Sendable {
        /// Whether there are any.
        var hasCards: Bool
        /// Access first, then refresh.
        var tokenCards: [TokenModel]
        /// `Signed out 40 s ago. Sign in on the phone.`
        var emptyText: String
        /// POST: refresh now; nil without a refresh token.
        var refreshAction: String?
        /// The session's page; nil without a session.
        var sessionURL: String?
        /// What its server says against the session the device still holds.
        var serverMismatch: ServerMismatch? = nil
        /// POST `state`: signs somebody new in; nil where that cannot be.
        var seedAction: String? = nil
        var seeds: [Choice] = []
    }

    struct ServerMismatch: Encodable, Sendable {
        var chip: ChipModel
        /// A sentence.
        var mismatchReason: String
    }

    struct RecentExchanges: Encodable, Sendable {
        /// The traffic of this app.
        var trafficURL: String
        var anyExchanges: Bool
        /// Shown without any: that none left, or that they were forgotten.
        var emptyText = ""
        /// The newest four, newest first.
        var exchanges: [ExchangeRowModel]
    }

    struct RecentMail: Encodable, Sendable {
        /// Shown when `mails` is empty.
        var noMailText: String
        /// The newest two of this app.
        var mails: [MailRow]
    }

    struct MailRow: Encodable, Sendable {
        var id: String
        var href: String
        var subject: String
        var to: String
        /// `Link used 14:33:58` (ok, check), `link 23 h left` (accent),
        /// `link expired` (warn); nil when it holds neither code nor link.
        var usageChip: ChipModel?
        /// `2 min ago`.
        var sentText: String
        /// ISO 8601.
        var sentAt: String
    }
}
