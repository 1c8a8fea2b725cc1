/// One state by itself, at several sizes (`storyboard/scene`).
struct StateDetailModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var appName: String
    var glyph: GlyphModel
    /// The sheet with this state selected.
    var boardURL: String
    /// `login, loading`.
    var stateTitle: String
    /// `7 of 52`.
    var positionText: String
    /// The state before and after it in the order of the sheet; nil at the
    /// ends.
    var previous: Step?
    var following: Step?
    /// One size or all of them.
    var sizeChoices: [BoardModel.Choice]
    /// Nil where the app has one look only.
    var appearanceChoices: BoardModel.AppearanceChoices?
    var textSizes: [BoardModel.Choice]
    /// POST: this state is played again.
    var replayAction: String
    /// This page, to come back to.
    var pageURL: String
    var phones: [Phone]
    var panel: StatePanelModel

    struct Step: Encodable, Sendable {
        /// `login, field error: email`.
        var stepName: String
        var href: String
    }

    struct Phone: Encodable, Sendable {
        /// `phone-ipad`.
        var sizeClass: String
        /// Of the status bar: `on-dark`.
        var statusBarStyle: String
        /// `iPad, 820 × 1180`, and the appearance where there are two.
        var caption: String
        var accessibilityLabel: String
        var frameURL: String
    }
}
