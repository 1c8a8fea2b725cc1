/// What each state of an app's screens is to somebody who does not see it or
/// does not use a mouse (`storyboard/accessibility`): the states, and what a
/// script has to know to measure them.
struct AccessibilityModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    var appID: String
    /// `6 screens, 52 states`.
    var totalText: String
    var screenMenu: BoardModel.Menu
    var sizes: [BoardModel.Choice]
    /// Nil where the app has one look only.
    var appearanceChoices: BoardModel.AppearanceChoices?
    var textSizes: [BoardModel.Choice]
    /// All, then each kind of finding.
    var findingChoices: [BoardModel.Choice]
    /// The kind asked for; nil for all.
    var findingKind: String?
    /// Of the phone it is measured on, in points.
    var phoneWidth: String
    var phoneHeight: String
    /// `iPhone 15, dark`.
    var phoneText: String
    /// `Look at all 52`.
    var checkAllText: String
    var screens: [Screen]

    struct Screen: Encodable, Sendable {
        var screenName: String
        /// `12 states`.
        var stateCountText: String
        var states: [State]
    }

    struct State: Encodable, Sendable {
        /// `login.default`.
        var stateID: String
        var stateTitle: String
        /// `failure.login.2`; nil where the title says the same.
        var stateName: String?
        var description: String
        /// The state's own page.
        var stateURL: String
        /// The document to be measured.
        var frameURL: String
        /// How the state is to be told: an `AccessibilityModel.Telling`; nil
        /// where it has nothing to tell.
        var expectedAnnouncement: String?
        /// `reached`, `not reachable`, `not run yet`.
        var statusChip: ChipModel
        var reason: String?
        /// Whether it shows all that was measured from the start.
        var isExpanded: Bool
    }

    /// How a screen reader hears of a state.
    enum Announcement: String, Sendable {
        /// A field is invalid and says why.
        case field
        /// It is said at once.
        case alert
        /// It is said when nothing else is.
        case status
        case dialog
        case busy
    }
}
