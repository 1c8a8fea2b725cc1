import Apps
import Simulator
import Storyboards

/// Builds the model of a step of an app's walkthrough.
struct WalkthroughBuilder {
    let services: Services
    let app: App
    let steps: [WalkthroughStep]
    let index: Int
    let query: StoryboardQuery
    /// Nil before the walkthrough has started.
    let walkthrough: WalkthroughSession?
    /// The selected edge case with its recording.
    let branch: (StoryboardState, StateRecording)?

    private var step: WalkthroughStep { steps[index] }

    func build() async throws -> Page<WalkthroughModel> {
        var appStatus: AppStatus?
        var activity: WalkthroughActivityModel?
        if let session = walkthrough {
            appStatus = try await services.simulator.status(session.instance)
            activity = try await WalkthroughActivityModel(
                services, session, mailAction: Links.walkthroughMail(app.id, step.id))
        }
        let screenLinks = ScreenLinks(app: app.id, device: walkthrough?.instance.device)
        let title = step.title(in: app)
        let status = showsDevice(appStatus) ? appStatus : nil
        let phone = { (size: DeviceSizes.Size, isInteractive: Bool) in
            PhoneModel(
                size, app, appStatus?.device.display.appearance ?? .system, name: app.name,
                src: frameURL(screenLinks, status, isInteractive: isInteractive))
        }
        let branches = app.edgeCases(of: step.screen).map { ($0.name, $0.edgeCaseTitle) }
        let sizeMode = query["sizes"].flatMap(WalkthroughSizeMode.init) ?? .one
        let model = WalkthroughModel(
            appID: app.id, appName: app.name, glow: app.look.glow,
            appSwitch: AppSwitchModel("walkthrough", "\(app.name) walkthrough", on: app, services) {
                Links.walkthrough($0)
            },
            email: app.asksForEmail
                ? (walkthrough?.current.person ?? SamplePersona()).email : nil,
            sizeMenu: query.menu(
                "sizes", "Sizes", none: nil,
                of: WalkthroughSizeMode.allCases.map { ($0.rawValue, $0.label) }),
            sizesParameter: query.values["sizes"] ?? "", sizesID: sizeMode,
            storyboardURL: Links.storyboard(app.id),
            phone: phone(DeviceSizes.all[0], true),
            additionalPhones: sizeMode.additionalSizes.map { phone($0, false) },
            frameID: step.id + (status == nil ? "-picture" : ""), phoneBase: screenLinks.startURL,
            screenID: step.screen.id,
            showsCapture: branch == nil && status == nil, locationNote: locationNote(appStatus),
            bringButton: branch == nil && appStatus?.screen != step.screen.id
                ? moveButton(to: step, walkthrough == nil ? "Start here" : "Go to this step") : nil,
            progress: progressSegments,
            stepText: "Step \(index + 1) of \(steps.count)", heading: title, note: step.note,
            points: step.points.enumerated().map {
                .init(
                    number: $0.offset + 1, targetTestID: $0.element.target ?? "",
                    lead: $0.element.heading, text: $0.element.text)
            }, branch: branch.map { WalkthroughBranchModel($0.0, $0.1) },
            branchCount: branches.isEmpty ? nil : branches.count,
            branches: query.menu("branch", "Edge cases", none: nil, of: branches).options,
            activity: activity,
            activityURL: Links.url(
                query.path, [("sizes", query.values["sizes"]), ("part", "activity")]),
            backButton: branch != nil
                ? moveButton(to: step) : index > 0 ? moveButton(to: steps[index - 1]) : nil,
            nextButton: index + 1 < steps.count
                ? .init(name: steps[index + 1].name, href: Links.walkthroughNext(app.id, step.id))
                : nil, restartAction: Links.restartWalkthrough(app.id))
        return Page(
            "\(title), \(app.name) walkthrough", navItem: "walkthrough", url: query.link(),
            script: "walkthrough.js", model)
    }

    /// Whether the device itself is shown: it is at the step, or could not be navigated there and
    /// shows why. An edge case is shown as a recording instead.
    private func showsDevice(_ appStatus: AppStatus?) -> Bool {
        branch == nil
            && (appStatus?.screen == step.screen.id
                || walkthrough?.current.failedNavigation?.step == step.id)
    }

    /// The URL of the frame. Without the device it shows the recorded state: the edge case, or the
    /// screen's first state. A launch screen is static here, because it would navigate away by
    /// itself.
    private func frameURL(_ screenLinks: ScreenLinks, _ status: AppStatus?, isInteractive: Bool)
        -> String
    {
        guard let status else {
            let state = branch?.0.name ?? app.screenStates(of: step.screen)[0].name
            return Links.tile(app.id, step.screen.id, state)
        }
        let isStatic =
            !isInteractive || status.screen == step.screen.id && step.screen.kind == .launch
        return Links.url(screenLinks.screenURL(status.screen), [("still", isStatic ? "1" : nil)])
    }

    private func locationNote(_ appStatus: AppStatus?) -> String? {
        guard branch == nil, appStatus?.screen != step.screen.id else { return nil }
        if let failure = walkthrough?.current.failedNavigation, failure.step == step.id {
            return "The app did not reach this screen."
                + (failure.message.map { " Message: \($0)" } ?? "")
        }
        let captureNote = "Preview of the screen as first shown."
        return appStatus.map { "\(captureNote) The device is at \($0.screen)." }
            ?? "\(captureNote) The walkthrough has not started."
    }

    private var progressSegments: [WalkthroughModel.ProgressSegment] {
        steps.enumerated().map { position, other in
            .init(
                stepID: other.id, screen: other.screen.id,
                href: query.link(["branch": nil], path: Links.walkthroughStep(app.id, other.id)),
                action: Links.walkthroughDevice(app.id, other.id),
                state: position < index ? "passed" : position == index ? "current" : "coming",
                current: position == index)
        }
    }

    /// A button that navigates the device to a step.
    private func moveButton(to other: WalkthroughStep, _ name: String? = nil)
        -> TextLinkModel
    { .init(name: name ?? other.name, href: Links.walkthroughDevice(app.id, other.id)) }
}

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
    var bringButton: TextLinkModel?

    var progress: [ProgressSegment]
    /// `Step 3 of 7`.
    var stepText: String
    var heading: String
    var note: String?
    var points: [Point]

    /// The edge case shown instead of the step.
    var branch: WalkthroughBranchModel?
    /// The number of edge cases; nil for none.
    var branchCount: Int?
    /// The links' ids are the states' names: `error.email`.
    var branches: [LinkModel]
    /// Nil before the walkthrough has started.
    var activity: WalkthroughActivityModel?
    /// The `activity` part, reloaded after the device was used.
    var activityURL: String
    /// POST: from an edge case to its step; nil at the first step.
    var backButton: TextLinkModel?
    /// POST; nil at the last step.
    var nextButton: TextLinkModel?
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
    var state: StoryboardState
    /// Why it could not be reached; nil if it was.
    var unreachableReason: String?
    var steps: [StateRecording.Step]
    /// The storyboard page of the state.
    var stateURL: String

    init(_ state: StoryboardState, _ recording: StateRecording) {
        branchTitle = state.edgeCaseTitle
        self.state = state
        unreachableReason = recording.unreachableReason
        steps = recording.steps
        stateURL = Links.statePage(state.id)
    }
}
