import Apps
import Crypto
import Web

extension Simulator {
    /// Points the app at another backend; `base` and `settings` are the
    /// user's own.
    ///
    /// Nil leaves what was chosen for that backend before, an empty text goes
    /// back to the manifest's. An app whose calls go elsewhere from now on is
    /// started cold; its storage stays.
    package func chooseBackend(
        _ instance: AppInstance, backend: String, base: String?, settings: [String: String]?
    ) async throws {
        let app = try app(instance)
        guard let chosen = app.backends.first(where: { $0.id == backend }) else {
            throw Problem.invalidBackend(
                "/backend",
                "\(app.name) has no backend \(backend.prefix(40)); it has "
                    + app.backends.map(\.id).joined(separator: ", ") + ".")
        }
        var address: String?
        if let base, !base.isEmpty {
            if case .embedded = chosen.base {
                throw Problem.invalidBackend(
                    "/base",
                    "The embedded backend has no address of your own;"
                        + " choose another backend first.")
            }
            address = try CustomBaseURL.validate(base, foyerPorts: foyerPorts)
        }
        for (name, value) in settings ?? [:] { try Self.validateSetting(name, value, of: app) }
        let before = try await status(instance)
        let own = address
        try await stateStore.update(instance, app) { persisted, _ in
            persisted.backend = backend
            var mine = persisted.customBackends[backend] ?? PersistedAppState.CustomBackend()
            if base != nil { mine.baseURL = own }
            for (name, value) in settings ?? [:] {
                mine.settings[name] = value.isEmpty ? nil : value
            }
            persisted.customBackends[backend] =
                mine == PersistedAppState.CustomBackend() ? nil : mine
        }
        let after = try await status(instance)
        if (before.backend, before.baseURL) != (after.backend, after.baseURL) {
            try await runner.coldStart(instance, app, isKill: false)
        }
    }

    /// The settings of the app's current backend, secrets masked.
    package func settings(_ instance: AppInstance) async throws -> [CustomSetting] {
        let app = try app(instance)
        let context = try await runner.context(instance, app)
        let own = context.persisted.customBackends[context.backend]?.settings ?? [:]
        return app.settings.map { setting in
            let value = context.value(of: setting) ?? ""
            return CustomSetting(
                name: setting.name, label: setting.label, isSecret: setting.isSecret,
                displayValue: setting.isSecret && !value.isEmpty ? Token.masked(value) : value,
                isCustom: own[setting.name] != nil)
        }
    }

    private static func validateSetting(_ name: String, _ value: String, of app: App)
        throws(Problem)
    {
        guard app.settings.contains(where: { $0.name == name }) else {
            let known = app.settings.map(\.name).joined(separator: ", ")
            throw Problem.invalidBackend(
                "/settings/\(name)",
                known.isEmpty
                    ? "\(app.name) has no settings."
                    : "\(app.name) has no setting \(name.prefix(40)); it has \(known).")
        }
        guard value.utf8.count <= 8_192, value.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else {
            throw Problem.invalidBackend(
                "/settings/\(name)", "A setting is one line of at most 8,192 bytes.")
        }
    }
}

extension Problem {
    fileprivate static func invalidBackend(_ pointer: String, _ detail: String) -> Problem {
        Problem(
            status: 422, code: "bad-backend", title: "The backend cannot be chosen like this",
            detail: detail, errors: [.init(pointer: pointer, detail: detail)])
    }
}
