/// The accessibility page of an app's states (`storyboard/accessibility`). Its script measures each
/// state in the browser.
struct AccessibilityModel: StoryboardPageModel {
    var frame: FrameModel
    var csrf: String
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    var appID: String
    /// `6 screens, 52 states`.
    var totalText: String
    var screenMenu: ChoiceMenuModel
    var sizes: [ChoiceLinkModel]
    /// Nil if the app has a fixed appearance.
    var appearanceChoices: AppearanceChoicesModel?
    var textSizes: [ChoiceLinkModel]
    /// All, then each kind of finding.
    var findingChoices: [ChoiceLinkModel]
    /// The requested kind; nil for all.
    var findingKind: String?
    /// The size of the measured phone, in points.
    var phoneWidth: String
    var phoneHeight: String
    /// `iPhone 15, dark`.
    var phoneText: String
    /// `Check all 52`.
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
        /// `failure.login.2`; nil for the default state.
        var stateName: String?
        var description: String
        /// The page of the state.
        var stateURL: String
        /// The document to measure.
        var frameURL: String
        /// An `AccessibilityModel.Announcement`; nil if the state needs none.
        var expectedAnnouncement: String?
        /// `Reached`, `Unreachable`, `Not rendered`.
        var statusChip: ChipModel
        var reason: String?
        /// Whether its details are initially expanded.
        var isExpanded: Bool
    }

    /// How a screen reader announces a state.
    enum Announcement: String, Sendable {
        /// The field is marked invalid and has an error message.
        case field
        /// Announced immediately.
        case alert
        /// Announced when the screen reader is idle.
        case status
        case dialog
        case busy
    }
}
