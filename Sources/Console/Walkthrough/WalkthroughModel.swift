import Apps
import Storyboards

/// A step of an app's walkthrough (`walkthrough/walkthrough`).
///
/// Part: `activity` (`walkthrough/activity`).
struct WalkthroughModel: Encodable, Sendable {
    var appID: String
    var appName: String
    var glow: String
    var appSwitch: AppSwitchModel
    /// The address of the person; nil if the app asks for none.
    var email: String?
    var sizeMenu: ChoiceMenuModel
    /// The size mode in forms; empty for the default.
    var sizesParameter: String
    /// For styling.
    var sizesID: WalkthroughSizeMode

    var storyboardURL: String
    var phone: PhoneModel
    /// The same screen in further, noninteractive frames.
    var additionalPhones: [PhoneModel]
    /// The end of the frames' names; it differs between steps and between device and recording. On
    /// going back, a browser restores the last content of a frame with the same name, and
    /// requesting a screen opens it.
    var frameID: String
    /// The base of screen URLs; a script uses it to read the screen from a frame's URL.
    var phoneBase: String
    /// The screen of this step.
    var screenID: String
    /// Whether a recording of the screen's first state is shown instead of the device.
    var showsCapture: Bool
    /// Which screen the device shows instead, or why it could not be navigated here, with the app's
    /// message.
    var locationNote: String?
    /// POST; nil if the device is at this step.
    var bringButton: LinkModel?

    var progress: [ProgressSegment]
    /// `Step 3 of 7`.
    var stepText: String
    var heading: String
    var note: String?
    var anyPoints: Bool
    var points: [Point]

    /// The edge case shown instead of the step.
    var branch: WalkthroughBranchModel?
    /// The number of edge cases; nil for none.
    var branchCount: Int?
    /// The links' ids are the states' names: `error.email`.
    var branches: [ChoiceLinkModel]
    /// Nil before the walkthrough has started.
    var activity: WalkthroughActivityModel?
    /// The `activity` part, reloaded after the device was used.
    var activityURL: String
    /// POST: from an edge case to its step; nil at the first step.
    var backButton: LinkModel?
    /// POST; nil at the last step.
    var nextButton: LinkModel?
    var restartAction: String

    struct ProgressSegment: Encodable, Sendable {
        var stepID: String
        /// The id in the manifest: `verify`.
        var screen: String
        /// The step's page, if the device is at the step.
        var href: String
        /// POST: navigates the device there.
        var action: String
        /// `passed`, `current`, `coming`.
        var state: String
        var current: Bool
    }

    struct Point: Encodable, Sendable {
        var number: Int
        /// The suffix of the test id the point refers to; empty for the entire screen.
        var targetTestID: String
        var lead: String
        var text: String
    }
}

/// An edge case of a step, with the steps that reproduce it.
struct WalkthroughBranchModel: Encodable, Sendable {
    var branchTitle: String
    var description: String
    /// Why it could not be reached; nil if it was.
    var unreachableReason: String?
    var anySteps: Bool
    var steps: [StateRecording.Step]
    /// The storyboard page of the state.
    var stateURL: String

    init(_ state: StoryboardState, _ recording: StateRecording) {
        branchTitle = state.edgeCaseTitle
        description = state.description
        unreachableReason = recording.unreachableReason
        steps = recording.steps
        anySteps = !steps.isEmpty
        stateURL = Links.statePage(state.id)
    }
}
