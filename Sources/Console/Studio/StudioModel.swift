/// The studio of one app on this device (`studio/studio`).
///
/// Parts, each a template `studio/<name>`: `actions`, `device`, `kills`, `state` (property
/// `screenGraph`), `tokens`, `storage`, `exchanges`, `mail` (property `mails`), `timeline`. A part
/// is rendered with the complete model.
struct StudioModel: Encodable, Sendable {
    var appID: String
    var appName: String
    var deviceID: String
    /// CSS hex color of the glow behind the phone in dark appearance.
    var glow: String
    var appSwitch: AppSwitchModel
    /// The URLs of the studio's pages and actions, by name; one that does not apply is absent.
    var links: [String: String]

    var backends: [ChoiceModel]
    /// The label of the selected backend.
    var backendName: String
    /// Without scheme and API path: `127.0.0.1:7071/main/atlas`.
    var base: String
    var fullBase: String
    /// Whether the app is killed when the next action sends its request.
    var isKillArmed: Bool

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
    var sizes: [ChoiceModel]
    var builds: [ChoiceModel]
    var biometrics: [ChoiceModel]
    var orientations: [ChoiceModel]
    var appearances: [ChoiceModel]
    var textSizes: [ChoiceModel]

    /// Fault presets for this app on this device.
    var faultPresets: [FaultsModel.PresetRow] = []

    var screenGraph: ScreenGraphModel
    var tokens: TokensModel
    var storage: StorageModel
    /// The newest four of this app on this device, newest first.
    var exchanges: [ExchangeRowModel]
    /// Shown if there are none: no request was sent, or the exchanges were cleared.
    var noExchangesText = ""
    /// The newest two of this app.
    var mails: [MailRow]
    var timeline: TimelineModel

    struct TokensModel: Encodable, Sendable {
        /// Access first, then refresh.
        var tokenCards: [TokenModel] = []
        /// Shown if `tokenCards` is empty.
        var emptyText = ""
        /// POST: refreshes now; nil without a refresh token.
        var refreshAction: String?
        /// The session's page; nil without a session.
        var sessionURL: String?
        /// How the server's state differs from the session on the device.
        var serverMismatch: ServerMismatch?
        /// POST `state`: signs in with a new account; nil if that is not possible.
        var seedAction: String?
        var seeds: [ChoiceModel] = []
    }

    struct ServerMismatch: Encodable, Sendable {
        var chip: ChipModel
        /// A sentence.
        var mismatchReason: String
    }

    struct MailRow: Encodable, Sendable {
        var id: String
        var href: String
        var subject: String
        var to: String
        /// `Link used 14:33:58` (ok, check), `link 23 h left` (accent), `link expired` (warn); nil
        /// if the mail has neither code nor link.
        var usageChip: ChipModel?
        /// `2 min ago`, and ISO 8601.
        var sentText: String
        var sentAt: String
    }
}
