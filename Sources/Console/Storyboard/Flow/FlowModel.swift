/// An app's flow as it was really seen (`storyboard/flow`).
struct FlowModel: Encodable, Sendable {
    var frame: FrameModel
    var partURL: String
    var ways: [WayModel]
    var appSwitch: AppSwitchModel
    /// `9 of 12 screens, 15 of 31 ways`.
    var factText: String
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
    var empty: EmptyModel?
    var map: Map?

    struct Scope: Encodable, Sendable {
        var scopeID: String
        var scopeName: String
        var href: String
        var current: Bool
    }

    struct Map: Encodable, Sendable {
        var wide: StateModel.Drawing
        var compact: StateModel.Drawing
        /// Whether what was not seen is marked as missed.
        var areMissed: Bool
        /// Nil where everything was seen.
        var unseen: Unseen?
        var rows: [Row]
        /// Whether what everybody saw stands beside what the run saw.
        var anyEver: Bool
    }

    struct Unseen: Encodable, Sendable {
        /// `Not visited by Run 3`.
        var unseenTitle: String
        /// `2 screens and 9 ways`.
        var unseenText: String
        var anyScreens: Bool
        var unseenScreens: [Link]
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
        var leads: String
        /// Nil where the manifest tells of it.
        var untold: String?
        /// `12`; `0` for never.
        var count: String
        var isSeen: Bool
        /// What everybody saw.
        var ever: String
    }
}
