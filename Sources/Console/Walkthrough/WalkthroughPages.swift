import Apps
import Backend
import Simulator
import Templates
import Web

/// `/walkthrough/{app}` and its steps: an app's way in, screen by screen, on
/// a phone that is nobody's.
struct WalkthroughPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder
    let walks: Walks
    let stage: Stage

    var routes: [Route] {
        [
            Route(.get, "/walkthrough", handler: choose),
            Route(.get, "/walkthrough/{app}", handler: begin),
            Route(.post, "/walkthrough/{app}/over", handler: startOver),
            Route(.get, "/walkthrough/{app}/{step}", handler: show),
            Route(.post, "/walkthrough/{app}/{step}/bring", handler: bring),
            Route(.post, "/walkthrough/{app}/{step}/next", handler: goOn),
            Route(.post, "/walkthrough/{app}/{step}/mail", handler: openMail),
        ]
    }

    /// To the first app's; the page leads to the others.
    @Sendable private func choose(_ visit: Visit) async throws -> Response {
        _ = try visit.query(allowing: [])
        return .redirect(to: services.firstApp.map(Links.walkthrough) ?? Links.home)
    }

    /// To the step the walk stands at, the first before it began.
    @Sendable private func begin(_ visit: Visit) async throws -> Response {
        let sizes = try sizes(visit.query(allowing: ["sizes"])["sizes"])
        if let broken = try manifestPage(visit) { return try await broken.answer(part: nil) }
        let (app, steps) = try app(of: visit)
        var step = steps[0]
        if let walk = try await walk(of: visit, app).walk {
            let now = try await services.simulator.situation(walk.place)
            step = steps.first { $0.screen.id == now.screen } ?? step
        }
        return .redirect(to: address(app, step, sizes))
    }

    /// What is said of a step, and the phone if it stands there. Nothing is
    /// begun and nothing moves: that is what the forms are for.
    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["sizes", "branch", "part"])
        let sizes = try sizes(asked["sizes"])
        if let broken = try manifestPage(visit) {
            return try await broken.answer(part: asked["part"])
        }
        let (app, steps, step) = try step(of: visit)
        let (workspace, walk) = try await walk(of: visit, app)
        let model = try await WalkthroughBuilder(
            services: services, frames: frames, workspace: workspace, app: app, steps: steps,
            step: step, walk: walk, sizes: sizes,
            branch: try await branch(asked["branch"], app, step), csrf: visit.csrf
        ).build()
        return try PageParts(
            templates: services.templates, page: "walkthrough/walkthrough",
            parts: ["behind": "walkthrough/behind"]
        ).answer(asked["part"], model, frame: model.frame)
    }

    /// The phone of the walk, brought to a step; the walk begins with it.
    @Sendable private func bring(_ visit: Visit) async throws -> Response {
        let (app, steps, step) = try step(of: visit)
        return try await move(visit, app, to: step) { try await $0.arrive(at: step, of: steps) }
    }

    /// Does for real what leads to the next step.
    @Sendable private func goOn(_ visit: Visit) async throws -> Response {
        let (app, steps, step) = try step(of: visit)
        let place = steps.firstIndex(of: step) ?? 0
        guard place + 1 < steps.count else {
            throw Problem(
                status: 409, code: "last-step", title: "The walkthrough ends here",
                detail: "\(step.id) is its last step.")
        }
        let next = steps[place + 1]
        return try await move(visit, app, to: next) { try await $0.goOn(to: next) }
    }

    /// Follows the newest mail's link, as the phone's browser would.
    @Sendable private func openMail(_ visit: Visit) async throws -> Response {
        let (app, _, step) = try step(of: visit)
        let sizes = try sizes(Form(visit.request)["sizes"])
        let (visitor, cookie) = try await visitors.welcome(visit)
        let walk = try await walks.join(visitor, app: app.id)
        let post = Post(services: services, walk: walk)
        guard let mail = try await post.newest(where: { $0.link != nil }) else {
            throw Problem(
                status: 409, code: "no-mail", title: "There is no link to open",
                detail: "No mail waits here, or its link was used.")
        }
        await post.follow(mail)
        return .redirect(to: address(app, step, sizes), setting: cookie)
    }

    @Sendable private func startOver(_ visit: Visit) async throws -> Response {
        let (app, steps) = try app(of: visit)
        let sizes = try sizes(Form(visit.request)["sizes"])
        let (visitor, cookie) = try await visitors.welcome(visit)
        let ended = try await walks.end(visitor, app: app.id)
        guard ended == visitor.workspace else {
            return try await move(visit, app, to: steps[0]) {
                try await $0.arrive(at: steps[0], of: steps)
            }
        }
        // The phone that asked is gone with the workspace it was in.
        var response = Response.redirect(to: address(app, steps[0], sizes), setting: cookie)
        response.headers.add("Set-Cookie", visitors.stay(in: Workspace.main))
        return response
    }

    // MARK: Help

    /// The visitor's workspace and walk; nothing is begun and no device made.
    private func walk(of visit: Visit, _ app: App) async throws -> (workspace: String, walk: Walk?)
    {
        let workspace = try visitors.workspace(of: visit)
        let device = try await visitors.device(of: visit, in: workspace)
        return (workspace, walks.walk(of: device?.id, in: workspace, app: app.id))
    }

    /// Has the walk's phone led to a step, and keeps what came of it for the
    /// page that follows.
    private func move(
        _ visit: Visit, _ app: App, to step: WalkStep,
        _ lead: @escaping @Sendable (Guide) async throws -> Guide.Arrival
    ) async throws -> Response {
        let sizes = try sizes(Form(visit.request)["sizes"])
        let (visitor, cookie) = try await visitors.welcome(visit)
        let walk = try await walks.join(visitor, app: app.id)
        let guide = Guide(services: services, walk: walk)
        try await walk.alone {
            let arrival = try await lead(guide)
            walk.change { state in
                state.missed =
                    if case .elsewhere(let said) = arrival { (step.id, said) } else { nil }
            }
        }
        return .redirect(to: address(app, step, sizes), setting: cookie)
    }

    /// The branch of an address, played for real on a device of its own.
    private func branch(_ name: String?, _ app: App, _ step: WalkStep) async throws -> (
        WalkBranch, Scene
    )? {
        guard let name else { return nil }
        let branches = app.branches(of: step.screen)
        guard let branch = branches.first(where: { $0.state.name == name }) else {
            throw Problem(
                status: 404, code: "unknown-branch", title: "This step has no such branch",
                detail: branches.isEmpty
                    ? "Nothing can go wrong on \(step.id)."
                    : """
                    \(step.id) has \(branches.map(\.state.name)
                            .joined(separator: ", ")).
                    """)
        }
        return (branch, try await stage.scene(app, step.screen, branch.state))
    }

    private func manifestPage(_ visit: Visit) throws -> ManifestPage? {
        try ManifestPage(visit, services, visitors, frames, place: "walkthrough")
    }

    private func app(of visit: Visit) throws -> (App, steps: [WalkStep]) {
        let app = try services.app(of: visit)
        let steps = app.walkSteps
        guard !steps.isEmpty else { throw Problem.unknownStep(app, "") }
        return (app, steps)
    }

    private func step(of visit: Visit) throws -> (App, steps: [WalkStep], WalkStep) {
        let (app, steps) = try app(of: visit)
        let id = visit.parameters["step"] ?? ""
        guard let step = steps.first(where: { $0.id == id }) else {
            throw Problem.unknownStep(app, id)
        }
        return (app, steps, step)
    }

    private func sizes(_ asked: String?) throws(Problem) -> WalkSizes {
        guard let asked, !asked.isEmpty else { return .one }
        if let sizes = WalkSizes(rawValue: asked) { return sizes }
        let known = WalkSizes.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(
            status: 400, code: "unknown-choice", title: "There is no such choice",
            detail: "sizes can be \(known).")
    }

    private func address(_ app: App, _ step: WalkStep, _ sizes: WalkSizes) -> String {
        Links.query(Links.walkStep(app.id, step.id), [("sizes", sizes.asked)])
    }
}

extension Problem {
    fileprivate static func unknownStep(_ app: App, _ id: String) -> Problem {
        Problem(
            status: 404, code: "unknown-step", title: "This walkthrough has no such step",
            detail: """
                \(app.name) has \(app.walkSteps.map(\.id)
                    .joined(separator: ", ")).
                """)
    }
}
