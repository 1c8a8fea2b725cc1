import Backend
import Core
import FoundationEssentials
import Simulator
import Templates
import Traffic
import Web
import Workspaces

/// `/workspaces`: lists the workspaces and switches this browser between them.
///
/// Works in a browser whose workspace no longer exists, so that it can switch to another.
struct WorkspacesPages: Sendable {
    private let services: Services

    init(services: Services) {
        var services = services
        services.scopeResolver.fallsBackToMain = true
        self.services = services
    }

    var routes: [Route] {
        [
            Route(.get, Links.workspaces, handler: show),
            Route(.post, Links.workspaces, handler: create),
            Route(.post, Links.switchWorkspace, handler: switchWorkspace),
            Route(.post, Links.extendWorkspace, handler: extend),
            .page(
                Links.resetWorkspace,
                handler: confirm(
                    Links.resetWorkspace, "Reset",
                    "Its devices, sessions, accounts, mail, traffic, snapshots and faults are "
                        + "deleted, and its clock returns to the system time. The workspace "
                        + "remains.")),
            Route(.post, Links.resetWorkspace, handler: reset),
            .page(
                Links.deleteWorkspace,
                handler: confirm(
                    Links.deleteWorkspace, "Delete",
                    "Its devices, sessions, accounts, mail and traffic are deleted. Other "
                        + "workspaces do not change.")),
            Route(.post, Links.deleteWorkspace, handler: delete),
        ]
    }

    @Sendable private func show(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["after", "part"])
        return try await page(context, after: query["after"])
    }

    /// The page with the form's `input` and an error about its name.
    private func page(
        _ context: RequestContext, after: String? = nil, input: Form? = nil, error: String? = nil
    ) async throws -> Response {
        let currentID = try services.workspace(of: context)
        let limit = 50
        let page = try await services.simulator.workspaces(after: after, limit: limit + 1)
        let shown = page.workspaces.prefix(limit)
        // The main workspace is listed first.
        let first = after == nil ? [try await services.simulator.workspace(Workspace.mainID)] : []
        let others = shown.filter { $0.id != Workspace.mainID }
        let now = services.world.now()
        var rows: [TemplateModel] = []
        for workspace in first + others {
            rows.append(try await row(workspace, here: currentID, now: now))
        }
        let model: TemplateModel = [
            "totalText": Format.count(page.total, "workspace"), "rows": rows,
            "olderURL": page.workspaces.count > limit
                ? Links.url(Links.workspaces, [("after", shown.last?.id)]) : nil,
            "label": input?["label"] ?? "", "labelError": error,
            "leaseOptions": Self.leaseOptions(chosen: input?["ttl"]),
        ]
        return try await services.respond(
            to: context,
            Page(title: "Workspaces", navItem: "workspaces", url: Links.workspaces, model: model),
            "workspaces/workspaces", status: error == nil ? 200 : 422,
            setting: services.scopeResolver.cookieLeavingMissingWorkspace(context))
    }

    private func row(_ workspace: Workspace, here currentID: String, now: Date) async throws
        -> TemplateModel
    {
        let id = workspace.id
        let isPermanent = workspace.expiresAt == nil
        let devices = try await services.simulator.devices(in: id, at: Keyset(limit: 1)).total
        let sessions = try await services.simulator.sessionCount(in: id)
        let requests = try await services.exchanges.totals(workspace: id).all
        let mail = try await services.backend.mailbox.count(workspace: id)
        return [
            "devices": Format.count(devices), "sessions": Format.count(sessions),
            "requests": Format.count(requests), "mail": Format.count(mail),
            "id": id, "name": workspace.label.isEmpty ? id : workspace.label,
            "secondaryID": workspace.label.isEmpty ? nil : id, "isCurrent": id == currentID,
            "expiresIn": workspace.expiresAt.map { Format.countdown($0.timeIntervalSince(now)) },
            "expiresAt": workspace.expiresAt?.iso8601,
            "clock": workspace.clock.isReal ? nil : Format.clockStatus(workspace.clock),
            "switchAction": Links.switchWorkspace(id), "resetURL": Links.resetWorkspace(id),
            "extendAction": isPermanent ? nil : Links.extendWorkspace(id),
            "deleteURL": isPermanent ? nil : Links.deleteWorkspace(id),
        ]
    }

    private static func leaseOptions(chosen: String?) -> [ChoiceModel] {
        let chosen = chosen ?? String(Leases.defaultDuration.components.seconds)
        return [
            ("600", "10 minutes"), ("3600", "1 hour"), ("86400", "1 day"), ("604800", "1 week"),
        ].map { ChoiceModel(value: $0, label: $1, chosen: $0 == chosen) }
    }

    @Sendable private func create(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let label = form["label"] ?? ""
        if let message = services.leases.labelError(in: label) {
            return try await page(context, input: form, error: "The name \(message).")
        }
        let workspace = try await services.leases.create(
            label: label, duration: try Self.parseLease(form["ttl"]), for: .manual)
        return .redirect(
            to: Links.home, setting: services.scopeResolver.workspaceCookie(for: workspace.id))
    }

    @Sendable private func switchWorkspace(_ context: RequestContext) async throws -> Response {
        let workspace = try await requestedWorkspace(context)
        let back = try Form(context.request)["back"] ?? context.query(allowing: ["back"])["back"]
        let deviceCookie = try await services.scopeResolver.latestDeviceCookie(
            context, to: workspace.id, eventsIn: services.hub)
        var response = Response.redirect(
            to: Links.validatedBackURL(back) ?? Links.home, setting: deviceCookie)
        response.headers.add(
            "Set-Cookie", services.scopeResolver.workspaceCookie(for: workspace.id))
        return response
    }

    @Sendable private func extend(_ context: RequestContext) async throws -> Response {
        let workspace = try await requestedWorkspace(context)
        let form = try Form(context.request)
        guard workspace.id != Workspace.mainID else { throw Problem.mainWorkspaceIsPermanent }
        _ = try await services.leases.update(
            workspace.id, label: nil,
            duration: try Self.parseLease(form["ttl"]) ?? Leases.defaultDuration)
        return .redirect(to: Links.workspaces)
    }

    @Sendable private func reset(_ context: RequestContext) async throws -> Response {
        let workspace = try await requestedWorkspace(context)
        try await services.leases.reset(workspace: workspace.id)
        return .redirect(to: Links.workspaces)
    }

    /// Asks for confirmation of `label`.
    private func confirm(_ action: PagePath, _ label: String, _ consequence: String)
        -> Route.Handler
    {
        { context in
            let id = try await requestedWorkspace(context).id
            let question = "\(label) \(services.simulator.displayName(ofWorkspace: id))?"
            return try await services.confirm(
                context, question, navItem: "workspaces",
                ConfirmModel(
                    action: action(id), question: question, consequence: consequence,
                    confirmLabel: label, backURL: Links.workspaces))
        }
    }

    @Sendable private func delete(_ context: RequestContext) async throws -> Response {
        let workspace = try await requestedWorkspace(context)
        let wasCurrent = try services.workspace(of: context) == workspace.id
        try await services.leases.end(workspace.id)
        return .redirect(
            to: Links.workspaces,
            setting: wasCurrent
                ? services.scopeResolver.workspaceCookie(for: Workspace.mainID) : nil)
    }

    private func requestedWorkspace(_ context: RequestContext) async throws -> Workspace {
        try await services.simulator.workspace(context.parameters["workspace"] ?? "")
    }

    private static func parseLease(_ text: String?) throws(Problem) -> Duration? {
        guard let text = text?.nonEmpty else { return nil }
        guard let lease = Double(text).flatMap(Leases.duration(seconds:)) else {
            throw Problem(
                status: 400, code: "invalid-lease", title: "Invalid lifetime",
                detail: "ttl \(Leases.durationRule).")
        }
        return lease
    }
}
