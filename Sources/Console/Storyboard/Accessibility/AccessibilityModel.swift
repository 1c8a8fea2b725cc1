/// What each state of an app's screens is to somebody who does not see it or
/// does not use a mouse (`storyboard/accessibility`): the states, and what a
/// script has to know to measure them.
struct AccessibilityModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var ways: [WayModel]
    var appSwitch: AppSwitchModel
    var appID: String
    /// `6 screens, 52 states`.
    var totalText: String
    var screenMenu: SheetModel.Menu
    var sizes: [SheetModel.Choice]
    /// Nil where the app has one look only.
    var looks: SheetModel.Looks?
    var texts: [SheetModel.Choice]
    /// All, then each kind of finding.
    var findings: [SheetModel.Choice]
    /// The kind asked for; nil for all.
    var findingKind: String?
    /// Of the phone it is measured on, in points.
    var phoneWidth: String
    var phoneHeight: String
    /// `iPhone 15, dark`.
    var phoneText: String
    /// `Look at all 52`.
    var allText: String
    var screens: [Screen]

    struct Screen: Encodable, Sendable {
        var screenName: String
        /// `12 states`.
        var screenCount: String
        var states: [State]
    }

    struct State: Encodable, Sendable {
        /// `login.default`.
        var stateID: String
        var stateTitle: String
        /// `failure.login.2`; nil where the title says the same.
        var stateName: String?
        var sentence: String
        /// The state's own page.
        var sceneURL: String
        /// The document to be measured.
        var frameURL: String
        /// How the state is to be told: an `AccessibilityModel.Telling`; nil
        /// where it has nothing to tell.
        var expects: String?
        /// `reached`, `not reachable`, `not run yet`.
        var reached: ChipModel
        var reason: String?
        /// Whether it shows all that was measured from the start.
        var isOpen: Bool
    }

    /// How a screen reader hears of a state.
    enum Telling: String, Sendable {
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
