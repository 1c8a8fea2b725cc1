import Apps
import Backend
import Simulator
import Surroundings
import Templates
import Traffic
import Web

/// `/studio/{app}`: the phone beside the live inspector, and what the page's
/// buttons do.
struct StudioPages: Sendable {
    let services: Services
    let visitors: Visitors
    let judge: SignatureJudge
    let frames: FrameBuilder

    var routes: [Route] {
        [
            Route(.get, "/studio/{app}", handler: show),
            Route(.post, "/studio/{app}/relaunch", handler: relaunch),
            Route(.post, "/studio/{app}/kill", handler: kill),
            Route(.post, "/studio/{app}/kill-next", handler: killNext),
            Route(.post, "/studio/{app}/expire", handler: expire),
            Route(.post, "/studio/{app}/refresh", handler: refresh),
            Route(.post, "/studio/{app}/device", handler: device),
            Route(.post, "/studio/{app}/seed", handler: seed),
            Route(.post, "/studio/{app}/backend", handler: chooseBackend),
            Route(.get, "/studio/{app}/backend", handler: backendPage),
            Route(.get, "/studio/{app}/forget", handler: askForget),
            Route(.post, "/studio/{app}/forget", handler: forget),
            Route(.get, "/studio/{app}/storage/{key}", handler: item),
            Route(.post, "/studio/{app}/storage/{key}", handler: write),
            Route(.post, "/studio/{app}/storage/{key}/delete", handler: delete),
        ] + restoreRoutes + timelineRoutes
    }

    /// The page, or with `part` one section of it.
    @Sendable private func show(_ visit: Visit) async throws -> Response {
        let asked = try visit.query(allowing: ["part", "reveal"])
        let broken = try ManifestPage(visit, services, visitors, frames, place: "studio")
        if let broken { return try await broken.answer(part: asked["part"]) }
        let (place, cookie) = try await enter(visit)
        var revealed: (key: String, value: String)?
        if let key = asked["reveal"] {
            revealed = (key, try await services.simulator.reveal(place, key: key))
        }
        let model = try await StudioBuilder(
            services: services, judge: judge, frames: frames, place: place, csrf: visit.csrf,
            revealed: revealed
        ).build()
        return try PageParts(
            templates: services.templates, page: "studio/studio",
            parts: [
                "actions": "studio/actions", "device": "studio/device",
                "kills": "studio/kills", "state": "studio/state",
                "tokens": "studio/tokens", "storage": "studio/storage",
                "exchanges": "studio/exchanges", "mail": "studio/mail",
                "timeline": "studio/timeline",
            ]
        ).answer(asked["part"], model, frame: model.frame, setting: cookie)
    }

    // MARK: What the buttons do

    @Sendable private func relaunch(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        try await services.simulator.relaunch(place, kill: false)
        return back(place)
    }

    /// Killed in the middle of what is under way, and started again.
    @Sendable private func kill(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        try await services.simulator.killDuring(place)
        return back(place)
    }

    /// Killed as the next action's request leaves: mid-registration by hand.
    @Sendable private func killNext(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        let armed = try Form(visit.request).choice("armed", of: ["on", "off"]) ?? "on"
        try await services.simulator.killDuringNext(place, isArmed: armed == "on")
        return back(place)
    }

    @Sendable private func expire(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        try await TokenAgeing(services: services).expire(place)
        return back(place)
    }

    @Sendable private func refresh(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        let situation = try await services.simulator.situation(place)
        guard let session = situation.session else {
            throw Problem(
                status: 409, code: "no-session", title: "Nobody is signed in on this device",
                detail: "There is nothing to refresh. Sign in on the phone.")
        }
        _ = try await services.simulator.refresh(session: session.id, in: place.workspace)
        return back(place)
    }

    // MARK: Storage

    @Sendable private func askForget(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let (place, cookie) = try await enter(visit)
        let count = try await services.simulator.items(place).count
        let model = ConfirmModel(
            frame: try await frame("Forget storage", place, csrf: visit.csrf), csrf: visit.csrf,
            confirm: ConfirmModel.Confirm(
                action: Links.studio(place.app, "forget"),
                question: "Forget \(Words.count(count, "stored item"))?",
                consequence: "The app will not know anybody on this device. "
                    + "Accounts on the backend stay.", yes: "Forget \(count)", no: "Keep them",
                backURL: Links.studio(place.app), destroys: true))
        return try PageParts.confirm(part, model, services.templates, setting: cookie)
    }

    @Sendable private func forget(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        try await services.simulator.forgetAll(place)
        return back(place)
    }

    /// Editing an item shows its value, and is noted like a reveal.
    @Sendable private func item(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let (place, cookie) = try await enter(visit)
        let key = visit.parameters["key"] ?? ""
        let value = try await services.simulator.reveal(place, key: key)
        let model = try await itemModel(place, key: key, value: value, error: nil, csrf: visit.csrf)
        return try PageParts(
            templates: services.templates, page: "studio/itempage", parts: ["dialog": "studio/item"]
        ).answer(part, model, frame: model.frame, setting: cookie)
    }

    @Sendable private func write(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        let key = visit.parameters["key"] ?? ""
        let value = try Form(visit.request)["value"] ?? ""
        do { try await services.simulator.write(place, key: key, value: value) } catch let problem
            as Problem where problem.status < 500
        {
            let model = try await itemModel(
                place, key: key, value: value, error: problem.detail, csrf: visit.csrf)
            return .html(
                try services.templates.render("studio/itempage", model, layout: "layouts/console"),
                status: problem.status)
        }
        return back(place)
    }

    @Sendable private func delete(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        try await services.simulator.forget(place, key: visit.parameters["key"] ?? "")
        return back(place)
    }

    private func itemModel(_ place: Place, key: String, value: String, error: String?, csrf: String)
        async throws -> ItemModel
    {
        let item = try await services.simulator.items(place).first { $0.key == key }
        return ItemModel(
            frame: try await frame(key, place, csrf: csrf), csrf: csrf,
            item: ItemModel.Item(
                key: key, area: item?.area.rawValue ?? "keychain",
                size: Words.size(value.utf8.count),
                saveAction: Links.studio(place.app, "storage/\(key)"),
                deleteAction: Links.studio(place.app, "storage/\(key)/delete"),
                backURL: Links.studio(place.app), value: value, error: error))
    }

    // MARK: Help

    /// The app of the path on this browser's device.
    func enter(_ visit: Visit) async throws -> (Place, cookie: String?) {
        let id = try services.app(of: visit).id
        let (visitor, cookie) = try await visitors.welcome(visit)
        return (visitor.place(id), cookie)
    }

    func back(_ place: Place) -> Response { .redirect(to: Links.studio(place.app)) }

    func frame(_ title: String, _ place: Place, csrf: String) async throws -> FrameModel {
        try await frames.frame(
            title, place: "studio", workspace: place.workspace, csrf: csrf,
            partURL: Links.studio(place.app) + "?part=", studioScript: true)
    }
}
