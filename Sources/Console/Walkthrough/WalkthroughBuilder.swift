import Apps
import Simulator

/// Gathers what a step of an app's walkthrough shows.
struct WalkthroughBuilder {
    let services: Services
    let frames: FrameBuilder
    /// Of whose page it is; the walk itself is elsewhere.
    let workspace: String
    let app: App
    let steps: [WalkthroughStep]
    let step: WalkthroughStep
    /// Nil before it began.
    let walkthrough: WalkthroughSession?
    let sizeMode: WalkthroughSizeMode
    /// The branch that is looked at, as it was played.
    let branch: (WalkthroughBranch, StateRecording)?
    let csrf: String

    private var index: Int { steps.firstIndex { $0.id == step.id } ?? 0 }

    func build() async throws -> WalkthroughModel {
        var stands: AppStatus?
        if let walk = walkthrough { stands = try await services.simulator.status(walk.instance) }
        let here = Links.walkthroughStep(app.id, step.id)
        let addresses = ScreenLinks(app: app.id, device: walkthrough?.instance.device)
        let title = step.title(in: app)
        let display = stands?.device.display ?? Device.Display()
        let ink = app.resolvedAppearance(for: display.appearance).statusBarClass
        let status = showsDevice(stands) ? stands : nil
        var frame = try await frames.frame(
            "\(title), \(app.name) walkthrough", navItem: "walkthrough", workspace: workspace,
            csrfToken: csrf,
            partURL: Links.partURL(
                here, [("sizes", sizeMode.queryValue), ("branch", branch?.0.state.name)]))
        frame.pageScript = "walkthrough.js"
        return WalkthroughModel(
            frame: frame, csrf: csrf, appID: app.id, appName: app.name, glow: app.look.glow,
            appSwitch: AppSwitchModel("walk", "\(app.name) walkthrough", on: app, services) {
                Links.walkthrough($0)
            }, identityText: identityText,
            sizes: WalkthroughSizeMode.allCases.map {
                .init(
                    id: $0.rawValue, name: $0.label,
                    href: Links.url(
                        here, [("sizes", $0.queryValue), ("branch", branch?.0.state.name)]),
                    current: $0 == sizeMode)
            }, sizesParameter: sizeMode.queryValue ?? "", sizesID: sizeMode.rawValue,
            storyboardURL: Links.storyboard(app.id),
            phone: makePhone(
                DeviceSizes.all[0], ink, frameURL(addresses, status, isInteractive: true)),
            additionalPhones: sizeMode.additionalSizes.map {
                makePhone($0, ink, frameURL(addresses, status, isInteractive: false))
            },
            phoneBase: addresses.startURL, screenID: step.screen.id,
            showsCapture: branch == nil && status == nil, locationNote: locationNote(stands),
            bringButton: branch == nil && stands?.screen != step.screen.id
                ? .init(
                    name: walkthrough == nil ? "Begin here" : "Bring the phone here",
                    action: Links.walkthroughAction(app.id, step.id, "bring")) : nil,
            progress: progressSegments,
            stepText: "Step \(index + 1) of \(steps.count)", heading: title, note: step.note,
            missingNoteText: step.note == nil
                ? "The app’s manifest has no walkthrough, so its screens are "
                    + "shown as they are met, without notes." : nil,
            anyPoints: !step.points.isEmpty,
            points: step.points.enumerated().map {
                .init(
                    number: $0.offset + 1, targetTestID: $0.element.target ?? "",
                    lead: $0.element.heading,
                    text: $0.element.text)
            }, branch: branch.map { WalkthroughBranchModel($0.0, $0.1) },
            anyBranches: !branches.isEmpty,
            branchesText: Format.count(branches.count, "way"), branches: branches,
            activity: try await makeActivity(),
            activityURL: Links.url(here, [("sizes", sizeMode.queryValue), ("part", "behind")]),
            backButton: branch != nil
                ? moveButton(to: step) : index > 0 ? moveButton(to: steps[index - 1]) : nil,
            nextButton: index + 1 < steps.count
                ? .init(
                    name: steps[index + 1].name,
                    action: Links.walkthroughAction(app.id, step.id, "next"))
                : nil, restartAction: Links.restartWalkthrough(app.id))
    }

    private func makeActivity() async throws -> WalkthroughActivityModel? {
        guard let walk = walkthrough else { return nil }
        return try await WalkthroughActivityBuilder(
            services: services, walkthrough: walk, step: step, sizeMode: sizeMode, csrf: csrf
        ).build()
    }

    /// Whether the phone itself is shown: it stands at the step, or could not
    /// be brought there and tells why. A branch is shown as it was played.
    private func showsDevice(_ stands: AppStatus?) -> Bool {
        branch == nil
            && (stands?.screen == step.screen.id
                || walkthrough?.current.failedNavigation?.step == step.id)
    }

    /// Nobody is named in an app that asks nobody.
    private var identityText: String {
        app.asksForEmail
            ? "runs for real, as \((walkthrough?.current.person ?? SamplePersona()).email)"
            : "runs for real, on a phone of its own"
    }

    private var branches: [WalkthroughModel.BranchLink] {
        app.branches(of: step.screen).map { other in
            .init(
                stateID: other.state.name, name: other.title,
                href: Links.url(
                    Links.walkthroughStep(app.id, step.id),
                    [("sizes", sizeMode.queryValue), ("branch", other.state.name)]),
                current: other.state.name == branch?.0.state.name)
        }
    }

    /// Without the phone, the state as it was played elsewhere: the branch's,
    /// or the step's first one. A splash goes on by itself: here it stands
    /// still, to be looked at.
    private func frameURL(_ addresses: ScreenLinks, _ status: AppStatus?, isInteractive: Bool)
        -> String
    {
        guard let status else {
            let state = branch?.0.state.name ?? app.screenStates(of: step.screen)[0].name
            return Links.tile(app.id, StateRecording.Key(screen: step.screen.id, state: state))
        }
        let isStill =
            !isInteractive || status.screen == step.screen.id && step.screen.kind == .launch
        return Links.url(addresses.screenURL(status.screen), [("still", isStill ? "1" : nil)])
    }

    private func makePhone(_ size: DeviceSizes.Size, _ ink: String, _ src: String)
        -> WalkthroughModel.Phone
    {
        .init(
            sizeID: size.id, statusBarStyle: ink, src: src,
            frameName: "\(size.id)-\(step.id)"
                + (src.hasPrefix(Links.storyboards) ? "-picture" : ""),
            frameTitle: "\(app.name) on \(size.label)",
            caption: "\(size.label), \(size.width) × \(size.height)")
    }

    private func locationNote(_ stands: AppStatus?) -> String? {
        guard branch == nil, stands?.screen != step.screen.id else { return nil }
        if let missed = walkthrough?.current.failedNavigation, missed.step == step.id {
            return "The app could not be brought to this screen."
                + (missed.said.map { " It says: \($0)" } ?? "")
        }
        let shown = "This is how the screen is first shown."
        return stands.map { "\(shown) The phone stands at \($0.screen)." }
            ?? "\(shown) The walk has not begun."
    }

    private var progressSegments: [WalkthroughModel.ProgressSegment] {
        steps.enumerated().map { place, other in
            .init(
                stepID: other.id, screen: other.screen.id, name: other.id,
                href: Links.url(
                    Links.walkthroughStep(app.id, other.id), [("sizes", sizeMode.queryValue)]),
                action: moveButton(to: other).action,
                state: place < index ? "passed" : place == index ? "current" : "coming",
                current: place == index)
        }
    }

    private func moveButton(to other: WalkthroughStep) -> WalkthroughModel.MoveButton {
        .init(name: other.name, action: Links.walkthroughAction(app.id, other.id, "bring"))
    }
}
