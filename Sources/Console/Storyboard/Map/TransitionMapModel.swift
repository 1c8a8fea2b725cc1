/// An app's transition map (`storyboard/map`).
struct TransitionMapModel: StoryboardPageModel {
    var frame: FrameModel
    var partURL: String
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    /// `9 of 12 screens, 15 of 31 transitions`.
    var summaryText: String
    /// All, manual, the last test run.
    var scopes: [ChoiceLinkModel]
    var anyRuns: Bool
    /// The recorded test runs; empty for fewer than two.
    var runs: [ChoiceLinkModel]
    /// `Run 3: 4 workspaces, 12:03:10 to 12:04:02`.
    var scopeText: String
    /// Whether events update the page. A test run uses other workspaces, whose events this page
    /// does not receive.
    var isLive: Bool
    /// Set if a test run was requested and none is recorded; `map` is nil then.
    var empty: EmptyStateModel?
    var map: Map?

    struct Map: Encodable, Sendable {
        var wide: ScreenGraphModel.Drawing
        var compact: ScreenGraphModel.Drawing
        /// Whether uncovered screens and edges are marked as missed.
        var marksMissed: Bool
        /// Nil if everything is covered.
        var uncovered: Uncovered?
        var rows: [Row]
        /// Whether the counts of all sources are shown next to those of the run.
        var showsTotal: Bool
    }

    struct Uncovered: Encodable, Sendable {
        /// `Not covered by Run 3`.
        var uncoveredTitle: String
        /// `2 screens and 9 transitions`.
        var uncoveredText: String
        var anyScreens: Bool
        var uncoveredScreens: [Link]
    }

    struct Link: Encodable, Sendable {
        var name: String
        var href: String
    }

    struct Row: Encodable, Sendable {
        var rowID: String
        var from: String
        var fromURL: String
        var to: String
        var toURL: String
        /// `Login, unverified`.
        var trigger: String
        /// Nil if the manifest declares the transition.
        var undeclaredText: String?
        /// `12`; `0` for never.
        var count: String
        var isCovered: Bool
        /// The count of all sources.
        var totalCount: String
    }
}
