/// An app's flow as it was really seen (`storyboard/flow`).
struct TransitionMapModel: Encodable, Sendable {
    var frame: FrameModel
    var partURL: String
    var tabs: [StoryboardTabModel]
    var appSwitch: AppSwitchModel
    /// `9 of 12 screens, 15 of 31 ways`.
    var summaryText: String
    /// Everything, by hand, the last test run.
    var scopes: [Scope]
    /// Whether there are several to choose from.
    var anyRuns: Bool
    /// The remembered runs; empty for fewer than two.
    var runs: [Scope]
    /// `Run 3: 4 workspaces, 12:03:10 to 12:04:02`.
    var scopeText: String
    /// Whether what the visitor does shows at once: a test run plays in other
    /// workspaces, whose events are not heard here.
    var isLive: Bool
    /// Where a run is asked for and there was none; all below is left out.
    var empty: EmptyStateModel?
    var map: Map?

    struct Scope: Encodable, Sendable {
        var scopeID: String
        var scopeName: String
        var href: String
        var current: Bool
    }

    struct Map: Encodable, Sendable {
        var wide: ScreenGraphModel.Drawing
        var compact: ScreenGraphModel.Drawing
        /// Whether what was not seen is marked as missed.
        var marksMissed: Bool
        /// Nil where everything was seen.
        var uncovered: Uncovered?
        var rows: [Row]
        /// Whether what everybody saw stands beside what the run saw.
        var showsTotal: Bool
    }

    struct Uncovered: Encodable, Sendable {
        /// `Not visited by Run 3`.
        var uncoveredTitle: String
        /// `2 screens and 9 ways`.
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
        /// Nil where the manifest tells of it.
        var undeclaredText: String?
        /// `12`; `0` for never.
        var count: String
        var isCovered: Bool
        /// What everybody saw.
        var totalCount: String
    }
}
