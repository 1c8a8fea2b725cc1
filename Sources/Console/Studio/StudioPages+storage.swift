import Apps
import Core
import Simulator
import Templates
import Web
import Workspaces

/// The app's stored data: clearing it, and editing one item.
extension StudioPages {
    var storageRoutes: [Route] {
        [
            Route(.get, Links.clearStorage, handler: confirmClearStorage),
            action(Links.clearStorage) { instance, _ in
                try await services.simulator.clearStorage(instance)
            },
            Route(.get, Links.storedItem, handler: itemPage),
            Route(.post, Links.storedItem, handler: saveItem),
            action(Links.deleteStoredItem) { instance, context in
                try await services.simulator.deleteItem(
                    instance, key: context.parameters["key"] ?? "")
            },
        ]
    }

    @Sendable private func confirmClearStorage(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let (instance, cookie) = try await resolveInstance(of: context)
        let count = try await services.simulator.storageItems(instance).count
        return try await services.confirm(
            context, "Clear app data", navItem: "studio", needsStudioScript: true, setting: cookie,
            ConfirmModel(
                action: Links.clearStorage(instance.app),
                question: "Clear \(Format.count(count, "stored item"))?",
                consequence: "Signs the user out on this device. Backend accounts are kept.",
                confirmLabel: "Clear \(Format.count(count, "item"))",
                backURL: Links.studio(instance.app)))
    }

    /// Editing an item reveals its value, which is recorded as an event.
    @Sendable private func itemPage(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let (instance, cookie) = try await resolveInstance(of: context)
        let key = context.parameters["key"] ?? ""
        let value = try await services.simulator.reveal(instance, key: key)
        return try await services.respond(
            to: context, makeItemPage(instance, key: key, value: value, error: nil),
            "studio/storeditempage", parts: ["dialog": "studio/storeditem"], setting: cookie)
    }

    @Sendable private func saveItem(_ context: RequestContext) async throws -> Response {
        let (instance, _) = try await resolveInstance(of: context)
        let key = context.parameters["key"] ?? ""
        let value = try Form(context.request)["value"] ?? ""
        do {
            try await services.simulator.writeItem(instance, key: key, value: value)
        } catch let problem as Problem where problem.status < 500 {
            let page = try await makeItemPage(
                instance, key: key, value: value, error: problem.detail)
            return try await services.respond(
                to: context, page, "studio/storeditempage", status: problem.status)
        }
        return redirectToStudio(instance)
    }

    private func makeItemPage(
        _ instance: AppInstance, key: String, value: String, error: String?
    ) async throws -> Page<TemplateModel> {
        let item = try await services.simulator.storageItems(instance).first { $0.key == key }
        return studioPage(
            key, instance,
            [
                "key": key, "area": item?.area.rawValue ?? "keychain",
                "size": Format.size(value.utf8.count),
                "saveAction": Links.storedItem(instance.app, key),
                "deleteAction": Links.deleteStoredItem(instance.app, key),
                "backURL": Links.studio(instance.app), "value": value, "error": error,
            ])
    }
}

/// Restores the device to the state at an event.
extension StudioPages {
    var restoreRoutes: [Route] {
        [
            Route(.get, Links.restorePoint, handler: confirmRestore),
            Route(.post, Links.restorePoint, handler: restoreState),
        ]
    }

    @Sendable private func confirmRestore(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["event", "part"])
        let (instance, cookie) = try await resolveInstance(of: context)
        let event = try services.event(query["event"] ?? "", in: instance.workspace)
        return try await services.confirm(
            context, "Restore this point", navItem: "studio", needsStudioScript: true,
            setting: cookie,
            ConfirmModel(
                action: Links.restore(instance.app, event: event.id),
                question: "Restore this point?",
                consequence: "“\(event.title)”, \(Format.dateTime(event.at)). "
                    + "Restores this device's storage, session and screen. The server "
                    + "is unchanged: a refresh token used since then counts as reuse.",
                confirmLabel: "Restore", backURL: Links.studio(instance.app), isDestructive: false))
    }

    @Sendable private func restoreState(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["event"])
        let (instance, _) = try await resolveInstance(of: context)
        let event = try services.event(
            try Form(context.request)["event"] ?? query["event"] ?? "", in: instance.workspace)
        guard event.device == instance.device, event.app == instance.app else {
            throw Problem(
                status: 409, code: "other-device", title: "This happened on another device",
                detail: "A browser restores its own device only.",
                apiHint: "POST /api/events/\(event.id)/restore restores any device.")
        }
        _ = try await services.snapshots.restore(event)
        return redirectToStudio(instance)
    }
}
