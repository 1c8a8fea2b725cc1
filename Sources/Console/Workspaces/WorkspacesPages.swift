import FoundationEssentials
import Simulator
import Surroundings
import Web

/// `/workspaces`: which worlds there are, and which one this browser is in.
///
/// Works in a browser whose own workspace is gone: it is how to find another.
struct WorkspacesPages: Sendable {
    let services: Services
    let visitors: Visitors
    let leases: Leases
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/workspaces", handler: show), Route(.post, "/workspaces", handler: make),
            Route(.post, "/workspaces/{workspace}/enter", handler: enter),
            Route(.post, "/workspaces/{workspace}/extend", handler: extend),
            Route(.get, "/workspaces/{workspace}/reset", handler: askReset),
            Route(.post, "/workspaces/{workspace}/reset", handler: reset),
            Route(.get, "/workspaces/{workspace}/end", handler: askEnd),
            Route(.post, "/workspaces/{workspace}/end", handler: end),
        ]
    }

    /// Where this browser is; `main` if that is gone.
    private func here(_ visit: Visit) -> String {
        (try? visitors.workspace(of: visit)) ?? Workspace.main
    }

    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["after", "part"])
        return try await page(
            visit, after: asked["after"], part: asked["part"], typed: nil, error: nil)
    }

    /// With what was `typed` into the form, and what is wrong with its name.
    private func page(_ visit: Visit, after: String?, part: String?, typed: Form?, error: String?)
        async throws -> Response
    {
        let here = here(visit)
        let limit = 50
        let page = try await services.simulator.workspaces(after: after, limit: limit + 1)
        let shown = page.workspaces.prefix(limit)
        // The one everybody comes back to stands first.
        let first = after == nil ? [try await services.simulator.workspace(Workspace.main)] : []
        let others = shown.filter { $0.id != Workspace.main }
        let now = services.world.now()
        let model = WorkspacesModel(
            frame: try await frames.frame(
                "Workspaces", place: "workspaces", workspace: here, csrf: visit.csrf,
                partURL: Links.part(Links.workspaces, [])), csrf: visit.csrf,
            totalText: Words.count(page.total, "workspace"),
            rows: (first + others).map { row($0, here: here, now: now) },
            olderURL: page.workspaces.count > limit
                ? Links.query(Links.workspaces, [("after", shown.last?.id)]) : nil,
            label: typed?["label"] ?? "", labelError: error,
            leases: Self.offered(chosen: typed?["ttl"]))
        // Who comes from a workspace that is gone is in main from now on.
        let isLost = (try? visitors.workspace(of: visit)) == nil
        var response = try PageParts(
            templates: services.templates, page: "workspaces/workspaces", parts: [:]
        ).answer(
            part, model, frame: model.frame,
            setting: isLost ? visitors.stay(in: Workspace.main) : nil)
        if error != nil { response.status = 422 }
        return response
    }

    private func row(_ workspace: Workspace, here: String, now: Date) -> WorkspacesModel.Row {
        let id = workspace.id
        let stays = workspace.expiresAt == nil
        return WorkspacesModel.Row(
            id: id, name: workspace.label.isEmpty ? id : workspace.label,
            idBeside: workspace.label.isEmpty ? nil : id, isHere: id == here,
            left: workspace.expiresAt.map { Words.countdown($0.timeIntervalSince(now)) },
            endsAt: workspace.expiresAt?.iso8601,
            clock: workspace.clock.isReal ? nil : Words.standing(workspace.clock),
            enterAction: Links.workspace(id, "enter"), resetURL: Links.workspace(id, "reset"),
            extendAction: stays ? nil : Links.workspace(id, "extend"),
            endURL: stays ? nil : Links.workspace(id, "end"))
    }

    private static let offered = [
        (600, "10 minutes"), (3_600, "1 hour"), (86_400, "1 day"), (7 * 86_400, "1 week"),
    ]

    private static func offered(chosen: String?) -> [ChoiceModel] {
        offered.map { seconds, words in
            ChoiceModel(
                value: String(seconds), words: words,
                chosen: chosen.map { $0 == String(seconds) }
                    ?? (Duration.seconds(seconds) == Leases.usual))
        }
    }

    @Sendable private func make(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let label = form["label"] ?? ""
        if let fault = leases.fault(ofLabel: label) {
            return try await page(
                visit, after: nil, part: nil, typed: form, error: "The name " + fault + ".")
        }
        let workspace = try await leases.make(
            label: label, lease: try Self.lease(form["ttl"]), for: .hand)
        var response = Response.redirect(to: Links.home)
        response.headers.add("Set-Cookie", visitors.stay(in: workspace.id))
        return response
    }

    @Sendable private func enter(_ visit: Visit) async throws -> Response {
        let workspace = try await named(visit)
        let back = try Form(visit.request)["back"]
        let phone = try await visitors.introduce(visit, to: workspace.id)
        var response = Response.redirect(to: Links.back(back) ?? Links.home, setting: phone)
        response.headers.add("Set-Cookie", visitors.stay(in: workspace.id))
        return response
    }

    @Sendable private func extend(_ visit: Visit) async throws -> Response {
        let workspace = try await named(visit)
        let form = try Form(visit.request)
        guard workspace.id != Workspace.main else { throw Problem.mainStays }
        _ = try await leases.change(
            workspace.id, label: nil, lease: try Self.lease(form["ttl"]) ?? Leases.usual)
        return .redirect(to: Links.workspaces)
    }

    @Sendable private func askReset(_ visit: Visit) async throws -> Response {
        try await ask(visit) { id, name in
            ConfirmModel.Confirm(
                action: Links.workspace(id, "reset"), question: "Empty \(name)?",
                consequence: "Its devices, sessions, accounts, mail, traffic "
                    + "and snapshots are forgotten, its conditions end, and "
                    + "its clock shows the real time. The workspace stays.", yes: "Empty it",
                no: "Keep all", backURL: Links.workspaces, destroys: true)
        }
    }

    @Sendable private func reset(_ visit: Visit) async throws -> Response {
        let workspace = try await named(visit)
        try await services.empty(workspace: workspace.id)
        return .redirect(to: Links.workspaces)
    }

    @Sendable private func askEnd(_ visit: Visit) async throws -> Response {
        try await ask(visit) { id, name in
            ConfirmModel.Confirm(
                action: Links.workspace(id, "end"), question: "End the lease of \(name)?",
                consequence: "Its devices, sessions, accounts, mail and "
                    + "traffic are forgotten. Other workspaces stay as they are.",
                yes: "End it", no: "Keep it", backURL: Links.workspaces, destroys: true)
        }
    }

    private func ask(
        _ visit: Visit, _ confirm: (_ id: String, _ name: String) -> ConfirmModel.Confirm
    ) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let workspace = try await named(visit)
        let name = services.simulator.name(ofWorkspace: workspace.id)
        let confirm = confirm(workspace.id, name)
        let model = ConfirmModel(
            frame: try await frames.frame(
                confirm.question, place: "workspaces", workspace: here(visit), csrf: visit.csrf,
                partURL: Links.part(Links.workspaces, [])), csrf: visit.csrf, confirm: confirm)
        return try PageParts.confirm(part, model, services.templates)
    }

    @Sendable private func end(_ visit: Visit) async throws -> Response {
        let workspace = try await named(visit)
        let wasHere = here(visit) == workspace.id
        try await leases.end(workspace.id)
        var response = Response.redirect(to: Links.workspaces)
        if wasHere { response.headers.add("Set-Cookie", visitors.stay(in: Workspace.main)) }
        return response
    }

    private func named(_ visit: Visit) async throws -> Workspace {
        try await services.simulator.workspace(visit.parameters["workspace"] ?? "")
    }

    private static func lease(_ text: String?) throws(Problem) -> Duration? {
        guard let text = text?.given else { return nil }
        guard let lease = Double(text).flatMap(Leases.lease(seconds:)) else {
            throw Problem(
                status: 400, code: "invalid-lease", title: "A lease cannot be that long",
                detail: "ttl \(Leases.rule).")
        }
        return lease
    }
}
