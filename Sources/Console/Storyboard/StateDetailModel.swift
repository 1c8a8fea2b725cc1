/// One state on its own, at several sizes (`storyboard/state`).
struct StateDetailModel: StoryboardPageModel {
    var frame: FrameModel
    var csrf: String
    var appName: String
    var glyph: GlyphModel
    /// The board with this state selected.
    var boardURL: String
    /// `login, Loading`.
    var stateTitle: String
    /// `7 of 52`.
    var positionText: String
    /// The neighboring states in board order; nil at the ends.
    var previous: Step?
    var following: Step?
    var sizeChoices: [ChoiceLinkModel]
    /// Nil if the app has a fixed appearance.
    var appearanceChoices: AppearanceChoicesModel?
    var textSizes: [ChoiceLinkModel]
    /// POST: plays this state again.
    var replayAction: String
    /// This page, as the return target of forms.
    var pageURL: String
    var phones: [Phone]
    var panel: StatePanelModel

    struct Step: Encodable, Sendable {
        /// `login, Field error: email`.
        var stepName: String
        var href: String
    }

    struct Phone: Encodable, Sendable {
        /// `phone-ipad`.
        var sizeClass: String
        /// A CSS class for the status bar: `on-dark`.
        var statusBarStyle: String
        /// `iPad, 820 × 1180`, with the appearance if there are two.
        var caption: String
        var accessibilityLabel: String
        var frameURL: String
    }
}
