import Apps
import Simulator
import Templates
import Web

/// The backend switch, and a real backend's address and keys.
extension StudioPages {
    /// From the segments: `backend` alone. From the dialog: the address and
    /// the settings too.
    @Sendable func chooseBackend(_ visit: Visit) async throws -> Response {
        let (place, _) = try await enter(visit)
        let form = try Form(visit.request)
        let situation = try await services.simulator.situation(place)
        if let backend = form["backend"] {
            try await services.simulator.chooseBackend(
                place, backend: backend, base: nil, settings: nil)
            return back(place)
        }
        var settings: [String: String] = [:]
        for setting in situation.app.settings {
            // An empty secret is one that was not typed again.
            guard let value = form[setting.name], !(setting.secret && value.isEmpty) else {
                continue
            }
            settings[setting.name] = value
        }
        do {
            try await services.simulator.chooseBackend(
                place, backend: situation.backend, base: form["base"], settings: settings)
        } catch let problem as Problem where problem.status < 500 {
            let model = try await model(place, csrf: visit.csrf, typed: form, problem)
            return .html(
                try services.templates.render(
                    "studio/backendpage", model, layout: "layouts/console"), status: problem.status)
        }
        return back(place)
    }

    @Sendable func backendPage(_ visit: Visit) async throws -> Response {
        let part = try visit.query(allowing: ["part"])["part"]
        let (place, cookie) = try await enter(visit)
        let model = try await model(place, csrf: visit.csrf, typed: nil, nil)
        return try PageParts(
            templates: services.templates, page: "studio/backendpage",
            parts: ["dialog": "studio/backend"]
        ).answer(part, model, frame: model.frame, setting: cookie)
    }

    private func model(_ place: Place, csrf: String, typed: Form?, _ problem: Problem?) async throws
        -> BackendModel
    {
        let situation = try await services.simulator.situation(place)
        let name =
            situation.app.backends.first { $0.id == situation.backend }?.label ?? situation.backend
        let own = try await services.simulator.settings(place)
        let wrong = own.first { problem?.errors.first?.pointer == "/settings/\($0.name)" }
        let address = BackendModel.Field(
            fieldName: "base", label: "Address", type: "url",
            value: typed?["base"] ?? situation.base, placeholder: "https://api.example.com/v1",
            error: wrong == nil ? problem?.detail : nil)
        // A secret is never sent back; what is not the user's own stays the
        // manifest's.
        let settings = own.map { setting in
            BackendModel.Field(
                fieldName: setting.name, label: setting.label,
                type: setting.secret ? "password" : "text",
                value: setting.secret
                    ? "" : typed?[setting.name] ?? (setting.isOwn ? setting.shown : ""),
                placeholder: setting.secret ? "kept as it is" : setting.isOwn ? "" : setting.shown,
                error: setting == wrong ? problem?.detail : nil)
        }
        return BackendModel(
            frame: try await frame("Backend", place, csrf: csrf), csrf: csrf,
            backend: BackendModel.Backend(
                question: "Where does \(name) answer?",
                explained: "https, or http on this machine. Calls go there and nowhere else.",
                saveAction: Links.studio(place.app, "backend"), backURL: Links.studio(place.app),
                fields: [address] + settings))
    }
}
