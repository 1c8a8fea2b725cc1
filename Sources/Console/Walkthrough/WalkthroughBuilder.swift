import Apps
import Simulator

/// Gathers what a step of an app's walkthrough shows.
struct WalkthroughBuilder {
    let services: Services
    let frames: FrameBuilder
    /// Of whose page it is; the walk itself is elsewhere.
    let workspace: String
    let app: App
    let steps: [WalkStep]
    let step: WalkStep
    /// Nil before it began.
    let walk: Walk?
    let sizes: WalkSizes
    /// The branch that is looked at, as it was played.
    let branch: (WalkBranch, Scene)?
    let csrf: String

    private var index: Int { steps.firstIndex { $0.id == step.id } ?? 0 }

    func build() async throws -> WalkthroughModel {
        var stands: Situation?
        if let walk { stands = try await services.simulator.situation(walk.place) }
        let here = Links.walkStep(app.id, step.id)
        let addresses = ScreenLinks(app: app.id, device: walk?.place.device)
        let title = step.title(in: app)
        let display = stands?.device.display ?? Device.Display()
        let ink = app.shown(as: display.appearance).statusBar
        let situation = isShown(stands) ? stands : nil
        var frame = try await frames.frame(
            "\(title), \(app.name) walkthrough", place: "walkthrough", workspace: workspace,
            csrf: csrf,
            partURL: Links.part(here, [("sizes", sizes.asked), ("branch", branch?.0.state.name)]))
        frame.pageScript = "walkthrough.js"
        return WalkthroughModel(
            frame: frame, csrf: csrf, appID: app.id, appName: app.name, glow: app.look.glow,
            appSwitch: AppSwitchModel("walk", "\(app.name) walkthrough", on: app, services) {
                Links.walkthrough($0)
            }, runsAs: runsAs,
            sizes: WalkSizes.allCases.map {
                .init(
                    id: $0.rawValue, name: $0.name,
                    href: Links.query(
                        here, [("sizes", $0.asked), ("branch", branch?.0.state.name)]),
                    current: $0 == sizes)
            }, sizesAsked: sizes.asked ?? "", sizesID: sizes.rawValue,
            storyboardURL: Links.storyboard(app.id),
            phone: phone(DeviceSizes.all[0], ink, src(addresses, situation, isUsed: true)),
            beside: sizes.beside.map { phone($0, ink, src(addresses, situation, isUsed: false)) },
            phoneBase: addresses.start, screenID: step.screen.id,
            picture: branch == nil && situation == nil, elsewhere: elsewhere(stands),
            bring: branch == nil && stands?.screen != step.screen.id
                ? .init(
                    name: walk == nil ? "Begin here" : "Bring the phone here",
                    action: Links.walkAct(app.id, step.id, "bring")) : nil, progress: progress,
            stepText: "Step \(index + 1) of \(steps.count)", heading: title, note: step.note,
            noNote: step.note == nil
                ? "The app’s manifest has no walkthrough, so its screens are "
                    + "shown as they are met, without notes." : nil,
            anyPoints: !step.points.isEmpty,
            points: step.points.enumerated().map {
                .init(
                    number: $0.offset + 1, at: $0.element.at ?? "", lead: $0.element.lead,
                    text: $0.element.text)
            }, branch: branch.map { WalkBranchModel($0.0, $0.1) }, anyBranches: !branches.isEmpty,
            branchesText: Words.count(branches.count, "way"), branches: branches,
            behind: try await behind(),
            behindURL: Links.query(here, [("sizes", sizes.asked), ("part", "behind")]),
            back: branch != nil ? way(to: step) : index > 0 ? way(to: steps[index - 1]) : nil,
            next: index + 1 < steps.count
                ? .init(name: steps[index + 1].name, action: Links.walkAct(app.id, step.id, "next"))
                : nil, overAction: Links.walkOver(app.id))
    }

    private func behind() async throws -> WalkBehindModel? {
        guard let walk else { return nil }
        return try await WalkBehindBuilder(
            services: services, walk: walk, step: step, sizes: sizes, csrf: csrf
        ).build()
    }

    /// Whether the phone itself is shown: it stands at the step, or could not
    /// be brought there and tells why. A branch is shown as it was played.
    private func isShown(_ stands: Situation?) -> Bool {
        branch == nil && (stands?.screen == step.screen.id || walk?.now.missed?.step == step.id)
    }

    /// Nobody is named in an app that asks nobody.
    private var runsAs: String {
        app.knowsPeople
            ? "runs for real, as \((walk?.now.person ?? Sample()).email)"
            : "runs for real, on a phone of its own"
    }

    private var branches: [WalkthroughModel.BranchLink] {
        app.branches(of: step.screen).map { other in
            .init(
                stateID: other.state.name, name: other.title,
                href: Links.query(
                    Links.walkStep(app.id, step.id),
                    [("sizes", sizes.asked), ("branch", other.state.name)]),
                current: other.state.name == branch?.0.state.name)
        }
    }

    /// Without the phone, the state as it was played elsewhere: the branch's,
    /// or the step's first one. A splash goes on by itself: here it stands
    /// still, to be looked at.
    private func src(_ addresses: ScreenLinks, _ situation: Situation?, isUsed: Bool) -> String {
        guard let situation else {
            let state = branch?.0.state.name ?? app.screenStates(of: step.screen)[0].name
            return Links.tile(app.id, Scene.Key(screen: step.screen.id, state: state))
        }
        let isStill = !isUsed || situation.screen == step.screen.id && step.screen.kind == .launch
        return Links.query(addresses.screen(situation.screen), [("still", isStill ? "1" : nil)])
    }

    private func phone(_ size: DeviceSizes.Size, _ ink: String, _ src: String)
        -> WalkthroughModel.Phone
    {
        .init(
            sizeID: size.id, ink: ink, src: src,
            frameName: "\(size.id)-\(step.id)"
                + (src.hasPrefix(Links.storyboards) ? "-picture" : ""),
            frameTitle: "\(app.name) on \(size.label)",
            caption: "\(size.label), \(size.width) × \(size.height)")
    }

    private func elsewhere(_ stands: Situation?) -> String? {
        guard branch == nil, stands?.screen != step.screen.id else { return nil }
        if let missed = walk?.now.missed, missed.step == step.id {
            return "The app could not be brought to this screen."
                + (missed.said.map { " It says: \($0)" } ?? "")
        }
        let shown = "This is how the screen is first shown."
        return stands.map { "\(shown) The phone stands at \($0.screen)." }
            ?? "\(shown) The walk has not begun."
    }

    private var progress: [WalkthroughModel.Segment] {
        steps.enumerated().map { place, other in
            .init(
                stepID: other.id, screen: other.screen.id, name: other.id,
                href: Links.query(Links.walkStep(app.id, other.id), [("sizes", sizes.asked)]),
                action: way(to: other).action,
                state: place < index ? "passed" : place == index ? "current" : "coming",
                current: place == index)
        }
    }

    private func way(to other: WalkStep) -> WalkthroughModel.Way {
        .init(name: other.name, action: Links.walkAct(app.id, other.id, "bring"))
    }
}
