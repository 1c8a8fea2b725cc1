import Apps
import Core
import FoundationEssentials
import Simulator
import Templates
import Web
import Workspaces

/// `/snapshots`: named device and backend states that can be restored.
struct SnapshotsPages: Sendable {
    let services: Services

    var routes: [Route] {
        [
            Route(.get, Links.snapshots, handler: list),
            Route(.post, Links.snapshots, handler: take),
            .page(
                Links.restoreSnapshot,
                handler: confirm(Links.restoreSnapshot, "Restore", Self.restoreConsequence)),
            Route(.post, Links.restoreSnapshot, handler: restore),
            .page(
                Links.deleteSnapshot,
                handler: confirm(Links.deleteSnapshot, "Delete") { _ in
                    "It can no longer be restored. The current state does not change."
                }),
            Route(.post, Links.deleteSnapshot, handler: delete),
        ]
    }

    private var snapshots: Snapshots { services.snapshots }

    @Sendable private func list(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["app", "restored", "part"])
        return try await page(context, app: query["app"], restored: query["restored"])
    }

    @Sendable private func take(_ context: RequestContext) async throws -> Response {
        let form = try Form(context.request)
        let (scope, _) = try await services.scopeResolver.resolve(context)
        let name = form["name"] ?? ""
        let app = form["app"]?.nonEmpty
        do {
            if let message = Snapshot.validationError(forName: name) {
                throw Problem(
                    status: 422, code: "invalid-name", title: "Invalid snapshot name",
                    detail: "", errors: [.init(pointer: "/name", detail: message)])
            }
            _ = try await snapshots.take(
                name, ofDevice: scope.device.id, app: app, in: scope.workspace)
            return .redirect(to: Links.snapshots(of: app))
        } catch let problem as Problem where problem.status < 500 {
            return try await page(context, app: app, name: name, problem: problem)
        }
    }

    // MARK: One snapshot

    @Sendable private func restore(_ context: RequestContext) async throws -> Response {
        let snapshot = try await services.snapshot(of: context)
        _ = try await snapshots.restore(snapshot)
        return .redirect(
            to: Links.url(Links.snapshots, [("app", snapshot.app), ("restored", snapshot.id)]))
    }

    @Sendable private func delete(_ context: RequestContext) async throws -> Response {
        let snapshot = try await services.snapshot(of: context)
        try await snapshots.delete(snapshot)
        return .redirect(to: Links.snapshots(of: snapshot.app))
    }

    /// Asks for confirmation of `label`.
    private func confirm(
        _ action: PagePath, _ label: String, _ consequence: @escaping @Sendable (Snapshot) -> String
    ) -> Route.Handler {
        { context in
            let snapshot = try await services.snapshot(of: context)
            return try await services.confirm(
                context, label, navItem: "snapshots",
                ConfirmModel(
                    action: action(snapshot.id), question: "\(label) “\(snapshot.name)”?",
                    consequence: consequence(snapshot), confirmLabel: label,
                    backURL: Links.snapshots(of: snapshot.app)))
        }
    }

    private static func restoreConsequence(_ snapshot: Snapshot) -> String {
        "What the device stored and showed since is lost. "
            + (snapshot.contracts.isEmpty
                ? "No backend is restored: a refresh token used since counts as reuse there."
                : "The embedded backend's accounts, sessions, codes and mail of "
                    + "\(snapshot.contracts.joined(separator: ", ")) are restored too, for every "
                    + "device of this workspace.")
    }

    // MARK: The list

    /// `name` and `problem` are those of a submitted form; `restored` is the snapshot that was just
    /// restored.
    private func page(
        _ context: RequestContext, app: String?, restored: String? = nil, name: String = "",
        problem: Problem? = nil
    ) async throws -> Response {
        let workspace = try services.workspace(of: context)
        let device = try await services.scopeResolver.resolveDevice(of: context, in: workspace)
        let list = try await services.simulator.snapshots(
            in: workspace, at: Keyset(limit: Snapshot.maxPerWorkspace))
        let now = services.world.now()
        var rows: [TemplateModel] = []
        for snapshot in list.items { rows.append(try await row(snapshot, now)) }
        var note: String?
        if let restored,
            let snapshot = try await services.simulator.snapshot(restored, in: workspace)
        {
            note =
                "“\(snapshot.name)” was restored. "
                + (try await snapshots.note(afterRestoring: snapshot))
        }
        let apps = services.appCatalog.apps.map {
            ChoiceModel(value: $0.id, label: $0.name, chosen: $0.id == app)
        }
        let model: TemplateModel = [
            "totalText": list.total == 0
                ? "None yet" : "\(list.total) (max \(Snapshot.maxPerWorkspace))",
            "restoredNote": note, "name": name,
            "deviceLabel": device?.label ?? "this browser's device",
            "apps": [ChoiceModel(value: "", label: "All apps", chosen: app == nil)] + apps,
            "error": problem?.formMessage, "rows": rows,
        ]
        return try await services.respond(
            to: context,
            Page(title: "Snapshots", navItem: "snapshots", url: Links.snapshots, model: model),
            "snapshots/snapshots", parts: ["rows": "snapshots/rows"],
            status: problem?.status ?? 200)
    }

    private func row(_ snapshot: Snapshot, _ now: Date) async throws -> TemplateModel {
        let label = try await services.simulator.device(snapshot.device, in: snapshot.workspace)?
            .label
        let appsText =
            snapshot.app.map { services.appCatalog.app($0)?.name ?? $0 }
            ?? Format.count(snapshot.apps.count, "app")
        return [
            "id": snapshot.id, "name": snapshot.name,
            "scopeText": "\(appsText) on \(label ?? "a deleted device")",
            "backendText": snapshot.contracts.isEmpty
                ? "device only" : "with embedded backend data",
            "createdAt": snapshot.createdAt.iso8601,
            "createdAgo": Format.ago(snapshot.createdAt, now),
            "restoreURL": Links.restoreSnapshot(snapshot.id),
            "deleteURL": Links.deleteSnapshot(snapshot.id),
        ]
    }
}
