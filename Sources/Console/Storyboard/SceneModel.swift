/// One state by itself, at several sizes (`storyboard/scene`).
struct SceneModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var appName: String
    var glyph: GlyphModel
    /// The sheet with this state selected.
    var sheetURL: String
    /// `login, loading`.
    var sceneTitle: String
    /// `7 of 52`.
    var positionText: String
    /// The state before and after it in the order of the sheet; nil at the
    /// ends.
    var before: Step?
    var after: Step?
    /// One size or all of them.
    var spreads: [SheetModel.Choice]
    /// Nil where the app has one look only.
    var looks: SheetModel.Looks?
    var texts: [SheetModel.Choice]
    /// POST: this state is played again.
    var againAction: String
    /// This page, to come back to.
    var pageURL: String
    var phones: [Phone]
    var panel: PanelModel

    struct Step: Encodable, Sendable {
        /// `login, field error: email`.
        var stepName: String
        var href: String
    }

    struct Phone: Encodable, Sendable {
        /// `phone-ipad`.
        var sizeClass: String
        /// Of the status bar: `on-dark`.
        var ink: String
        /// `iPad, 820 × 1180`, and the appearance where there are two.
        var caption: String
        var spoken: String
        var frameURL: String
    }
}
