/// The studio of one app on this device (`studio/studio`).
///
/// Parts, each a template `studio/<name>`: `actions`, `device`, `kills`, `state` (property
/// `screenGraph`), `tokens`, `storage`, `exchanges` (property `recentExchanges`), `mail` (property
/// `recentMail`), `timeline`. A part is rendered with the complete model.
struct StudioModel: Encodable, Sendable {
    var appID: String
    /// The timeline as a page of its own.
    var timelineURL: String
    var appName: String
    var deviceID: String
    /// CSS hex color of the glow behind the phone in dark appearance.
    var glow: String
    var appSwitch: AppSwitchModel

    /// POST `backend=<id>`.
    var backendAction: String
    var backends: [Choice]
    /// The label of the selected backend.
    var backendName: String
    /// Without scheme and API path: `127.0.0.1:7071/main/atlas`.
    var base: String
    var fullBase: String
    /// The page that edits a real backend's base URL and settings; nil for the embedded backend.
    var backendEditURL: String?
    /// The page that explains how to connect a real app.
    var proxyURL: String

    /// POST; nil without an access token that can expire.
    var expireAction: String?
    /// POST: cold start.
    var relaunchAction: String
    /// POST: kills the app during the current action, then restarts it.
    var killAction: String
    /// POST `armed`, `on` or `off`: kills the app when the next action sends its request.
    var killNextAction: String
    var isKillArmed: Bool
    /// GET: the confirmation for clearing the app's storage.
    var clearStorageURL: String

    /// What the phone shows first: the device's current screen, so that reloading the page is no
    /// launch; `/apps/<id>/` before the first launch.
    var screenURL: String
    /// `/apps/<id>/`: the base of screen URLs; opening it relaunches the app.
    var phoneBase: String
    /// A device size: `iphone15`, `iphone15promax`, `iphonese`, `ipad`.
    var sizeID: String
    var sizeName: String
    /// `portrait` or `landscape`.
    var orientation: String
    /// The color of the status bar: `on-dark`, `on-light`, or `by-system`.
    var statusBar: String

    /// The device properties that affect rendering, as one string: a script reloads the screen when
    /// it changes.
    var deviceDisplayKey: String
    /// POST with any of the six settings below.
    var deviceAction: String
    var sizes: [Choice]
    var builds: [Choice]
    var biometrics: [Choice]
    var orientations: [Choice]
    var appearances: [Choice]
    var textSizes: [Choice]

    /// Fault presets for this app on this device.
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
        var hasCards: Bool
        /// Access first, then refresh.
        var tokenCards: [TokenModel]
        /// Shown if `tokenCards` is empty.
        var emptyText: String
        /// POST: refreshes now; nil without a refresh token.
        var refreshAction: String?
        /// The session's page; nil without a session.
        var sessionURL: String?
        /// How the server's state differs from the session on the device.
        var serverMismatch: ServerMismatch? = nil
        /// POST `state`: signs in with a new account; nil if that is not possible.
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
        /// Shown if there are none: no request was sent, or the exchanges were cleared.
        var emptyText = ""
        /// The newest four, newest first.
        var exchanges: [ExchangeRowModel]
    }

    struct RecentMail: Encodable, Sendable {
        /// Shown if `mails` is empty.
        var noMailText: String
        /// The newest two of this app.
        var mails: [MailRow]
    }

    struct MailRow: Encodable, Sendable {
        var id: String
        var href: String
        var subject: String
        var to: String
        /// `Link used 14:33:58` (ok, check), `link 23 h left` (accent), `link expired` (warn); nil
        /// if the mail has neither code nor link.
        var usageChip: ChipModel?
        /// `2 min ago`.
        var sentText: String
        /// ISO 8601.
        var sentAt: String
    }
}
