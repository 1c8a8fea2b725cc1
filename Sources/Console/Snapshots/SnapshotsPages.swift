import Apps
import FoundationEssentials
import Simulator
import Surroundings
import Templates
import Web

/// `/snapshots`: how things were, by name, to be put back.
struct SnapshotsPages: Sendable {
    let services: Services
    let visitors: Visitors
    let frames: FrameBuilder

    var routes: [Route] {
        let one = "/snapshots/{snapshot}"
        return [
            Route(.get, "/snapshots", handler: list), Route(.post, "/snapshots", handler: take),
            Route(.get, one + "/restore", handler: askRestore),
            Route(.post, one + "/restore", handler: restore),
            Route(.get, one + "/delete", handler: askDelete),
            Route(.post, one + "/delete", handler: delete),
        ]
    }

    private var snapshots: Snapshots { Snapshots(services: services) }

    @Sendable private func list(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["app", "restored", "part"])
        let (model, cookie) = try await model(visit, asked)
        return try PageParts(
            templates: services.templates, page: "snapshots/snapshots",
            parts: ["rows": "snapshots/rows"]
        ).answer(asked["part"], model, frame: model.frame, setting: cookie)
    }

    @Sendable private func take(_ visit: Visit) async throws -> Response {
        let form = try Form(visit.request)
        let (visitor, _) = try await visitors.welcome(visit)
        let name = form["name"] ?? ""
        let app = form["app"]?.given
        do {
            if let wrong = Snapshot.objection(to: name) {
                throw Problem(
                    status: 422, code: "invalid-name", title: "A snapshot cannot be called that",
                    detail: "", errors: [.init(pointer: "/name", detail: wrong)])
            }
            _ = try await snapshots.take(
                name, ofDevice: visitor.device.id, app: app, in: visitor.workspace)
            return .redirect(to: Links.snapshots(of: app))
        } catch let problem as Problem where problem.status < 500 {
            var (model, _) = try await model(visit, ["app": app ?? ""])
            model.form.name = name
            model.form.error = problem.words
            return .html(
                try services.templates.render(
                    "snapshots/snapshots", model, layout: "layouts/console"), status: problem.status
            )
        }
    }

    // MARK: One

    @Sendable private func askRestore(_ visit: Visit) async throws -> Response {
        let snapshot = try await services.snapshot(of: visit, visitors)
        let server =
            snapshot.contracts.isEmpty
            ? "No backend is put back: a refresh token used since counts as reuse there."
            : "At the embedded backend, accounts, sessions, codes and mail "
                + "of \(snapshot.contracts.joined(separator: ", ")) are put "
                + "back with it, for every device of this workspace."
        return try await ask(
            visit, snapshot, act: "restore", question: "Put “\(snapshot.name)” back?",
            consequence: "What the device stored and showed since is gone. " + server,
            yes: "Put back", destroys: true)
    }

    @Sendable private func askDelete(_ visit: Visit) async throws -> Response {
        let snapshot = try await services.snapshot(of: visit, visitors)
        return try await ask(
            visit, snapshot, act: "delete", question: "Delete “\(snapshot.name)”?",
            consequence: "How things were then can no longer be put back. "
                + "How they are now stays.", yes: "Delete", destroys: true)
    }

    @Sendable private func restore(_ visit: Visit) async throws -> Response {
        let snapshot = try await services.snapshot(of: visit, visitors)
        _ = try await snapshots.restore(snapshot)
        return .redirect(
            to: Links.query(Links.snapshots, [("app", snapshot.app), ("restored", snapshot.id)]))
    }

    @Sendable private func delete(_ visit: Visit) async throws -> Response {
        let snapshot = try await services.snapshot(of: visit, visitors)
        try await snapshots.delete(snapshot)
        return .redirect(to: Links.snapshots(of: snapshot.app))
    }

    private func ask(
        _ visit: Visit, _ snapshot: Snapshot, act: String, question: String, consequence: String,
        yes: String, destroys: Bool
    ) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let model = ConfirmModel(
            frame: try await frames.frame(
                yes, place: "snapshots", workspace: snapshot.workspace, csrf: visit.csrf,
                partURL: Links.part(Links.snapshots, [])), csrf: visit.csrf,
            confirm: ConfirmModel.Confirm(
                action: Links.snapshot(snapshot.id, act), question: question,
                consequence: consequence, yes: yes, no: "Cancel",
                backURL: Links.snapshots(of: snapshot.app), destroys: destroys))
        return try PageParts.confirm(part, model, services.templates)
    }

    // MARK: The list

    private func model(_ visit: Visit, _ asked: [String: String]) async throws -> (
        SnapshotsModel, cookie: String?
    ) {
        let workspace = try visitors.workspace(of: visit)
        let device = try await visitors.usedDevice(of: visit, in: workspace)
        let page = try await services.simulator.snapshots(in: workspace, limit: Snapshot.most)
        let now = services.world.now()
        var rows: [SnapshotsModel.Row] = []
        for snapshot in page.items { rows.append(try await row(snapshot, now)) }
        var note: String?
        if let id = asked["restored"],
            let snapshot = try await services.simulator.snapshot(id, in: workspace)
        {
            note =
                "“\(snapshot.name)” was put back. "
                + (try await RestoreNote(services: services).of(snapshot))
        }
        let partURL = Links.part(Links.snapshots, [])
        let choices =
            [ChoiceModel(value: "", words: "all apps", chosen: asked["app"] == nil)]
            + services.apps.map { app in
                ChoiceModel(value: app.id, words: app.name, chosen: app.id == asked["app"])
            }
        return (
            SnapshotsModel(
                frame: try await frames.frame(
                    "Snapshots", place: "snapshots", workspace: workspace, csrf: visit.csrf,
                    partURL: partURL), csrf: visit.csrf, partURL: partURL,
                totalText: page.total == 0
                    ? "none yet" : "\(page.total) of at most \(Snapshot.most)", restoredNote: note,
                form: .init(
                    action: Links.snapshots, name: "",
                    deviceLabel: device?.label ?? "this browser's device", apps: choices),
                anySnapshots: !rows.isEmpty, rows: rows), nil
        )
    }

    private func row(_ snapshot: Snapshot, _ now: Date) async throws -> SnapshotsModel.Row {
        let label = try await services.simulator.device(snapshot.device, in: snapshot.workspace)?
            .label
        let what =
            snapshot.app.map { services.catalogue.app($0)?.name ?? $0 }
            ?? Words.count(snapshot.apps.count, "app")
        return .init(
            id: snapshot.id, name: snapshot.name,
            of: "\(what) on \(label ?? "a device that is gone")",
            with: snapshot.contracts.isEmpty
                ? "the device alone" : "with the embedded backend's side",
            takenAt: snapshot.takenAt.iso8601, taken: Words.ago(snapshot.takenAt, now),
            restoreURL: Links.snapshot(snapshot.id, "restore"),
            deleteURL: Links.snapshot(snapshot.id, "delete"))
    }
}
