import Apps
import Simulator
import Templates
import Web

/// The backend switch, and the base URL and settings of a real backend.
extension StudioPages {
    /// The segmented control submits `backend` alone; the dialog submits the base URL and the
    /// settings.
    @Sendable func chooseBackend(_ context: RequestContext) async throws -> Response {
        let (instance, _) = try await resolveInstance(of: context)
        let form = try Form(context.request)
        let status = try await services.simulator.status(instance)
        if let backend = form["backend"] {
            try await services.simulator.chooseBackend(
                instance, backend: backend, base: nil, settings: nil)
            return redirectToStudio(instance)
        }
        var settings: [String: String] = [:]
        for setting in status.app.settings {
            // An empty secret is left unchanged.
            guard let value = form[setting.name], !(setting.isSecret && value.isEmpty) else {
                continue
            }
            settings[setting.name] = value
        }
        do {
            try await services.simulator.chooseBackend(
                instance, backend: status.backend, base: form["base"], settings: settings)
        } catch let problem as Problem where problem.status < 500 {
            return try await services.respond(
                to: context, makeBackendPage(instance, form: form, problem), "studio/backendpage",
                status: problem.status)
        }
        return redirectToStudio(instance)
    }

    @Sendable func backendPage(_ context: RequestContext) async throws -> Response {
        _ = try context.query(allowing: ["part"])
        let (instance, cookie) = try await resolveInstance(of: context)
        return try await services.respond(
            to: context, makeBackendPage(instance, form: nil, nil), "studio/backendpage",
            parts: ["dialog": "studio/backend"], setting: cookie)
    }

    private func makeBackendPage(
        _ instance: AppInstance, form: Form?, _ problem: Problem?
    ) async throws -> Page<TemplateModel> {
        let status = try await services.simulator.status(instance)
        let appSettings = try await services.simulator.settings(instance)
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
            "Backend", instance,
            [
                "backendName": status.chosenBackend?.label ?? status.backend,
                "saveAction": Links.studioBackend(instance.app),
                "backURL": Links.studio(instance.app), "fields": [baseField] + settingFields,
            ])
    }
}
