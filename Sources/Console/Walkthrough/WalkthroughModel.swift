/// A step of an app's walkthrough (`walkthrough/walkthrough`).
///
/// Part: `behind` (`walkthrough/behind`).
struct WalkthroughModel: Encodable, Sendable {
    var frame: FrameModel
    var csrf: String
    var appID: String
    var appName: String
    var glow: String
    var appSwitch: AppSwitchModel
    /// `runs for real, as mira.holt@example.com`.
    var identityText: String
    var sizes: [Size]
    /// What forms carry so that the choice stays; empty for the usual one.
    var sizesParameter: String
    /// `one`, `three`, `all`: for the look.
    var sizesID: String

    var storyboardURL: String
    var phone: Phone
    /// The same screen in other frames; they are looked at only.
    var additionalPhones: [Phone]
    /// Up to a screen's name; tells the script which screen a frame shows.
    var phoneBase: String
    /// The screen this step is about.
    var screenID: String
    /// Instead of the phone the screen's first state is shown.
    var showsCapture: Bool
    /// Where the phone stands instead, or that it could not be brought here
    /// and what the app said.
    var locationNote: String?
    /// Nil where the phone stands here.
    var bringButton: MoveButton?

    var progress: [ProgressSegment]
    /// `Step 3 of 7`.
    var stepText: String
    var heading: String
    var note: String?
    /// Said where the manifest has no note.
    var missingNoteText: String?
    var anyPoints: Bool
    var points: [Point]

    /// What is shown instead of the step itself.
    var branch: WalkthroughBranchModel?
    var anyBranches: Bool
    /// `12 ways`.
    var branchesText: String
    var branches: [BranchLink]
    /// Nil before the walk began.
    var activity: WalkthroughActivityModel?
    /// Its part alone, for when the phone was used.
    var activityURL: String
    /// From a branch to its step; nil at the first step.
    var backButton: MoveButton?
    /// Nil at the last.
    var nextButton: MoveButton?
    var restartAction: String

    struct Size: Encodable, Sendable {
        var id: String
        var name: String
        var href: String
        var current: Bool
    }

    struct Phone: Encodable, Sendable {
        var sizeID: String
        /// The ink of the status bar: `on-dark`.
        var statusBarStyle: String
        var src: String
        /// Another one for what another page shows: a browser that goes back
        /// shows in a frame of one name what it showed there last, and asking
        /// for a screen opens it.
        var frameName: String
        /// `Atlas on iPhone 15`.
        var frameTitle: String
        /// `iPhone 15, 390 × 844`.
        var caption: String
    }

    struct ProgressSegment: Encodable, Sendable {
        var stepID: String
        /// As it stands in the manifest: `verify`.
        var screen: String
        var name: String
        /// The step's page, for when the phone stands there.
        var href: String
        /// POST: brings the phone there.
        var action: String
        /// `passed`, `current`, `coming`.
        var state: String
        var current: Bool
    }

    struct Point: Encodable, Sendable {
        var number: Int
        /// The end of the test id it speaks of; empty for the whole.
        var targetTestID: String
        var lead: String
        var text: String
    }

    struct BranchLink: Encodable, Sendable {
        /// The state's: `error.email`.
        var stateID: String
        var name: String
        var href: String
        var current: Bool
    }

    struct MoveButton: Encodable, Sendable {
        var name: String
        /// POST.
        var action: String
    }
}
