import Apps
import Simulator
import Storyboards
import Web

/// `/walkthrough/{app}` and its steps: a guided tour of an app's sign-in flows on a device of its
/// own.
struct WalkthroughPages: Sendable {
    let services: Services
    let walkthroughSessions: WalkthroughSessions
    let stateCache: StateCache

    var routes: [Route] {
        [
            Route(.get, Links.walkthroughs) { context in
                _ = try context.query(allowing: [])
                return .redirect(to: services.firstApp.map { Links.walkthrough($0) } ?? Links.home)
            },
            Route(.get, Links.walkthrough, handler: redirectToCurrentStep),
            Route(.post, Links.restartWalkthrough, handler: startOver),
            Route(.get, Links.walkthroughStep, handler: show),
            Route(.post, Links.walkthroughDevice, handler: bringDevice),
            Route(.post, Links.walkthroughNext, handler: advance),
            Route(.post, Links.walkthroughMail, handler: openMail),
        ]
    }

    /// Redirects to the device's current step, or to the first one before the start.
    @Sendable private func redirectToCurrentStep(_ context: RequestContext) async throws -> Response
    {
        let values = try context.query(allowing: ["sizes"])
        if let errorPage = try await services.manifestErrorPage(context, navItemID: "walkthrough") {
            return errorPage
        }
        let (app, steps, _) = try steps(of: context)
        var step = steps[0]
        if let session = try await walkthrough(of: context, app) {
            let appStatus = try await services.simulator.status(session.instance)
            step = steps.first { $0.screen.id == appStatus.screen } ?? step
        }
        return .redirect(to: try query(app, step, values).link())
    }

    /// Shows a step, and the device if it is at that step. Has no side effects; starting and
    /// navigating are POST requests.
    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let values = try context.query(allowing: ["sizes", "branch", "part"])
        if let errorPage = try await services.manifestErrorPage(context, navItemID: "walkthrough") {
            return errorPage
        }
        let (app, steps, index) = try steps(of: context)
        let page = try await WalkthroughBuilder(
            services: services, app: app, steps: steps, index: index,
            query: try query(app, steps[index], values),
            walkthrough: try await walkthrough(of: context, app),
            branch: try await branch(values["branch"], app, steps[index])
        ).build()
        return try await services.respond(
            to: context, page, "walkthrough/walkthrough",
            parts: ["activity": "walkthrough/activity"])
    }

    /// Navigates the device to a step; starts the walkthrough if needed.
    @Sendable private func bringDevice(_ context: RequestContext) async throws -> Response {
        let (app, steps, index) = try steps(of: context)
        return try await navigate(context, app, to: steps[index]) {
            try await $0.navigate(to: steps[index], in: steps)
        }
    }

    /// Performs the actions that lead to the next step.
    @Sendable private func advance(_ context: RequestContext) async throws -> Response {
        let (app, steps, index) = try steps(of: context)
        guard index + 1 < steps.count else { throw Problem.lastStep(steps[index]) }
        let next = steps[index + 1]
        return try await navigate(context, app, to: next) { try await $0.advance(to: next) }
    }

    /// Opens the link of the newest mail, as the device's browser would.
    @Sendable private func openMail(_ context: RequestContext) async throws -> Response {
        let (app, steps, index) = try steps(of: context)
        return try await navigate(context, app, to: steps[index]) { session in
            guard try await session.openMail() else { throw Problem.noMailToOpen }
        }
    }

    @Sendable private func startOver(_ context: RequestContext) async throws -> Response {
        let (app, steps, _) = try steps(of: context)
        let firstStep = try query(
            app, steps[0], ["sizes": try Form(context.request)["sizes"] ?? ""])
        let (scope, cookie) = try await services.scopeResolver.resolve(context)
        let endedWorkspace = try await walkthroughSessions.end(
            of: scope.device.id, in: scope.workspace, app: app.id)
        guard endedWorkspace == scope.workspace else {
            return try await navigate(context, app, to: steps[0]) {
                try await $0.navigate(to: steps[0], in: steps)
            }
        }
        // The device of the request was deleted with the walkthrough's workspace.
        var response = Response.redirect(to: firstStep.link(), setting: cookie)
        response.headers.add(
            "Set-Cookie", services.scopeResolver.workspaceCookie(for: Workspace.mainID))
        return response
    }

    // MARK: Helpers

    /// The browser's walkthrough; starts none and creates no device.
    private func walkthrough(of context: RequestContext, _ app: App) async throws
        -> WalkthroughSession?
    {
        let workspace = try services.workspace(of: context)
        let device = try await services.scopeResolver.device(of: context, in: workspace)
        return walkthroughSessions.walkthrough(of: device?.id, in: workspace, app: app.id)
    }

    /// Navigates the walkthrough's device and redirects to a step; starts the walkthrough if
    /// needed.
    private func navigate(
        _ context: RequestContext, _ app: App, to step: WalkthroughStep,
        _ move: (WalkthroughSession) async throws -> Void
    ) async throws -> Response {
        let query = try query(app, step, ["sizes": try Form(context.request)["sizes"] ?? ""])
        let (scope, cookie) = try await services.scopeResolver.resolve(context)
        try await move(
            walkthroughSessions.findOrStart(
                of: scope.device.id, in: scope.workspace, app: app.id))
        return .redirect(to: query.link(), setting: cookie)
    }

    /// The edge case named in the URL, played in a workspace of its own.
    private func branch(_ name: String?, _ app: App, _ step: WalkthroughStep) async throws -> (
        StoryboardState, StateRecording
    )? {
        guard let name else { return nil }
        let branches = app.edgeCases(of: step.screen)
        guard let branch = branches.first(where: { $0.name == name }) else {
            throw Problem(
                status: 404, code: "unknown-branch", title: "Unknown edge case",
                detail: branches.isEmpty
                    ? "\(step.id) has no edge cases."
                    : "Edge cases of \(step.id): "
                        + branches.map(\.name).joined(separator: ", ") + ".")
        }
        return (branch, try await stateCache.recording(of: branch))
    }

    /// The app's steps and the index of the requested one; without a step in the path, the first.
    private func steps(of context: RequestContext) throws -> (App, [WalkthroughStep], index: Int) {
        let app = try services.app(of: context)
        let steps = app.walkthroughSteps
        let id = context.parameters["step"]
        guard let index = steps.firstIndex(where: { id == nil || $0.id == id }) else {
            throw Problem.unknown("step", "Steps of \(app.name): ", available: steps.map(\.id))
        }
        return (app, steps, index)
    }

    /// The query of a step's URL.
    private func query(_ app: App, _ step: WalkthroughStep, _ values: [String: String])
        throws(Problem) -> StoryboardQuery
    {
        try StoryboardQuery(
            Links.walkthroughStep(app.id, step.id),
            [
                .init(
                    name: "sizes", choices: WalkthroughSizeMode.allCases.map(\.rawValue),
                    defaultValue: WalkthroughSizeMode.one.rawValue), .init(name: "branch"),
            ], values)
    }
}

extension Problem {
    static func lastStep(_ step: WalkthroughStep) -> Problem {
        Problem(
            status: 409, code: "last-step", title: "No next step",
            detail: "\(step.id) is the last step.")
    }

    static var noMailToOpen: Problem {
        Problem(
            status: 409, code: "no-mail", title: "No link to open",
            detail: "No mail was received, or its link was used.")
    }
}

extension Links {
    static let walkthroughs = "/walkthrough"
    /// Redirects to the current step of an app's walkthrough.
    static let walkthrough = PagePath("/walkthrough/{app}")
    static let restartWalkthrough = PagePath("/walkthrough/{app}/restart")
    static let walkthroughStep = PagePath("/walkthrough/{app}/{step}")
    /// POST: navigates the device to the step, or to the next one; opens a mail's link.
    static let walkthroughDevice = PagePath("/walkthrough/{app}/{step}/device")
    static let walkthroughNext = PagePath("/walkthrough/{app}/{step}/next")
    static let walkthroughMail = PagePath("/walkthrough/{app}/{step}/mail")
}

/// The number of frames that show a step side by side.
enum WalkthroughSizeMode: String, Sendable, CaseIterable {
    case one, three, all

    var label: String {
        switch self {
        case .one: "One size"
        case .three: "3 sizes"
        case .all: "All sizes"
        }
    }

    /// The sizes besides the interactive one.
    var additionalSizes: [DeviceSizes.Size] {
        switch self {
        case .one: []
        case .three: [DeviceSizes.size("iphonese"), DeviceSizes.size("ipad")].compactMap(\.self)
        case .all: Array(DeviceSizes.all.dropFirst())
        }
    }
}
