import Apps
import Core
import Simulator
import Templates
import Web
import Workspaces

/// The studio's dialogs. The app's stored data: clearing it, and editing one item.
extension StudioPages {
    var dialogRoutes: [Route] {
        [
            .studioPage(Links.clearStorage, handler: confirmClearStorage),
            action(Links.clearStorage) { instance, _ in
                try await services.simulator.clearStorage(instance)
            },
            .studioPage(Links.storedItem, handler: itemPage),
            Route(.post, Links.storedItem, handler: saveItem),
            action(Links.deleteStoredItem) { instance, context in
                try await services.simulator.deleteItem(
                    instance, key: context.parameters["key"] ?? "")
            },
            Route(.get, Links.restorePoint, handler: confirmRestore),
            Route(.post, Links.restorePoint, handler: restoreState),
            .studioPage(Links.openLink) { context in
                let target = try await target(of: context)
                return try await services.respond(
                    to: context, try linkPage(target, link: nil, error: nil),
                    "studio/openlinkpage", parts: ["dialog": "studio/openlink"],
                    setting: target.cookie)
            },
            Route(.post, Links.openLink, handler: openLink),
            .studioPage(Links.studioBackend, handler: backendPage),
            Route(.post, Links.studioBackend, handler: chooseBackend),
        ]
    }

    /// Does what a dialog's form asks for and returns to the studio; what the user can correct is
    /// shown in the form again, on the page `template`.
    private func submit(
        _ context: RequestContext, _ target: StudioTarget, _ template: String,
        _ work: () async throws -> Void, showing page: (Problem) async throws -> Page
    ) async throws -> Response {
        do { try await work() } catch let problem as Problem where problem.status < 500 {
            return try await services.respond(
                to: context, try await page(problem), template, status: problem.status)
        }
        return .redirect(to: target.links.page)
    }

    @Sendable private func confirmClearStorage(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        let count = try await services.simulator.storageItems(target.instance).count
        return try await services.confirm(
            context, "Clear app data", navItem: "studio", setting: target.cookie,
            ConfirmModel(
                action: target.links(Links.clearStorage),
                question: "Clear \(Format.count(count, "stored item"))?",
                consequence: "Signs the user out on this device. Backend accounts are kept.",
                confirmLabel: "Clear \(Format.count(count, "item"))",
                backURL: target.links.page))
    }

    /// Editing an item reveals its value, which is recorded as an event.
    @Sendable private func itemPage(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        let key = context.parameters["key"] ?? ""
        let value = try await services.simulator.reveal(target.instance, key: key)
        return try await services.respond(
            to: context, makeItemPage(target, key: key, value: value, error: nil),
            "studio/storeditempage", parts: ["dialog": "studio/storeditem"],
            setting: target.cookie)
    }

    @Sendable private func saveItem(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        let key = context.parameters["key"] ?? ""
        let value = try Form(context.request)["value"] ?? ""
        return try await submit(context, target, "studio/storeditempage") {
            try await services.simulator.writeItem(target.instance, key: key, value: value)
        } showing: { problem in
            try await makeItemPage(target, key: key, value: value, error: problem.detail)
        }
    }

    private func makeItemPage(
        _ target: StudioTarget, key: String, value: String, error: String?
    ) async throws -> Page {
        let items = try await services.simulator.storageItems(target.instance)
        let item = items.first { $0.key == key }
        return studioPage(
            key, target,
            [
                "key": key, "area": item?.area.rawValue ?? "keychain",
                "size": Format.size(value.utf8.count),
                "saveAction": target.links(Links.storedItem, key),
                "deleteAction": target.links(Links.deleteStoredItem, key),
                "backURL": target.links.page, "value": value, "error": error,
            ])
    }
}

/// Opens a link in the app.
extension StudioPages {
    private func linkPage(_ target: StudioTarget, link: String?, error: String?) throws -> Page {
        let app = try services.app(target.instance.app)
        return studioPage(
            "Open a link", target,
            [
                "appName": app.name, "scheme": app.scheme, "link": link ?? "\(app.scheme)://",
                "error": error, "openAction": target.links(Links.openLink),
                "linkedScreens": app.linkableScreens.map(\.id),
                "backURL": target.links.page,
            ])
    }

    @Sendable private func openLink(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        let link = try Form(context.request)["link"] ?? ""
        return try await submit(context, target, "studio/openlinkpage") {
            _ = try await services.simulator.openLink(target.instance, link)
        } showing: { problem in
            try linkPage(target, link: link, error: problem.detail)
        }
    }
}

/// Restores the device to the state at an event.
extension StudioPages {
    @Sendable private func confirmRestore(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["event", "part"] + StudioLinks.parameterNames)
        let target = try await target(of: context)
        let event = try services.event(query["event"] ?? "", in: target.instance.workspace)
        return try await services.confirm(
            context, "Restore this point", navItem: "studio", setting: target.cookie,
            ConfirmModel(
                action: target.links.restore(event: event.id),
                question: "Restore this point?",
                consequence: "“\(event.title)”, \(Format.dateTime(event.at)). "
                    + "Restores this device's storage, session and screen. The server "
                    + "is unchanged: a refresh token used since then counts as reuse.",
                confirmLabel: "Restore", backURL: target.links.page, isDestructive: false))
    }

    @Sendable private func restoreState(_ context: RequestContext) async throws -> Response {
        let query = try context.query(allowing: ["event"] + StudioLinks.parameterNames)
        let target = try await target(of: context)
        let instance = target.instance
        let event = try services.event(
            try Form(context.request)["event"] ?? query["event"] ?? "", in: instance.workspace)
        guard event.device == instance.device, event.app == instance.app else {
            throw Problem(
                status: 409, code: "other-device", title: "This happened on another device",
                detail: "Open the studio of the event's app and device to restore it there.",
                apiHint: "POST /api/events/\(event.id)/restore restores any device.")
        }
        _ = try await services.snapshots.restore(event)
        return .redirect(to: target.links.page)
    }
}

/// The backend switch, and the base URL and settings of a real backend.
extension StudioPages {
    /// The segmented control submits `backend` alone; the dialog submits the base URL and the
    /// settings.
    @Sendable private func chooseBackend(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        let instance = target.instance
        let form = try Form(context.request)
        let status = try await services.simulator.status(instance)
        if let backend = form["backend"] {
            try await services.simulator.chooseBackend(
                instance, backend: backend, base: nil, settings: nil)
            return .redirect(to: target.links.page)
        }
        var settings: [String: String] = [:]
        for setting in status.app.settings {
            // An empty secret is left unchanged.
            guard let value = form[setting.name], !(setting.isSecret && value.isEmpty) else {
                continue
            }
            settings[setting.name] = value
        }
        return try await submit(context, target, "studio/backendpage") { [settings] in
            try await services.simulator.chooseBackend(
                instance, backend: status.backend, base: form["base"], settings: settings)
        } showing: { problem in
            try await makeBackendPage(target, form: form, problem)
        }
    }

    @Sendable private func backendPage(_ context: RequestContext) async throws -> Response {
        let target = try await target(of: context)
        return try await services.respond(
            to: context, makeBackendPage(target, form: nil, nil), "studio/backendpage",
            parts: ["dialog": "studio/backend"], setting: target.cookie)
    }

    private func makeBackendPage(
        _ target: StudioTarget, form: Form?, _ problem: Problem?
    ) async throws -> Page {
        let status = try await services.simulator.status(target.instance)
        let appSettings = try await services.simulator.settings(target.instance)
        let invalidSetting = appSettings.first {
            problem?.errors.first?.pointer == "/settings/\($0.name)"
        }
        let baseField: TemplateModel = [
            "fieldName": "base", "label": "Base URL", "type": "url",
            "value": form?["base"] ?? status.baseURL, "placeholder": "https://api.example.com/v1",
            "error": invalidSetting == nil ? problem?.detail : nil,
        ]
        // A secret is never sent to the browser, and submitting an empty one leaves it unchanged; a
        // default from the manifest is shown as the placeholder.
        let settingFields = appSettings.map { setting -> TemplateModel in
            let value = form?[setting.name] ?? (setting.isCustom ? setting.displayValue : "")
            return [
                "fieldName": setting.name, "label": setting.label,
                "type": setting.isSecret ? "password" : "text",
                "value": setting.isSecret ? "" : value,
                "placeholder": setting.isSecret
                    ? "unchanged" : setting.isCustom ? "" : setting.displayValue,
                "error": setting == invalidSetting ? problem?.detail : nil,
            ]
        }
        return studioPage(
            "Backend", target,
            [
                "backendName": status.chosenBackend?.label ?? status.backend,
                "saveAction": target.links(Links.studioBackend),
                "backURL": target.links.page, "fields": [baseField] + settingFields,
            ])
    }
}
