import Apps
import Crypto
import Web

extension Simulator {
    /// Selects the app's backend, with a custom base URL and custom settings.
    ///
    /// Nil leaves that backend's earlier values, an empty text restores the manifest's. If the base
    /// URL changes, the app is cold-started; its storage stays.
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
                    "The embedded backend has no custom base URL; select another backend first.")
            }
            address = try CustomBaseURL.validate(base, foyerPorts: foyerPorts)
        }
        for (name, value) in settings ?? [:] { try Self.validateSetting(name, value, of: app) }
        let before = try await status(instance)
        let customURL = address
        try await stateStore.update(instance, app) { persisted, _, _ in
            persisted.backend = backend
            var custom = persisted.customBackends[backend] ?? PersistedAppState.CustomBackend()
            if base != nil { custom.baseURL = customURL }
            for (name, value) in settings ?? [:] {
                custom.settings[name] = value.isEmpty ? nil : value
            }
            persisted.customBackends[backend] =
                custom == PersistedAppState.CustomBackend() ? nil : custom
        }
        let after = try await status(instance)
        if (before.backend, before.baseURL) != (after.backend, after.baseURL) {
            try await relaunch(instance, isKill: false)
        }
    }

    /// The settings of the app's current backend, secrets masked.
    package func settings(_ instance: AppInstance) async throws -> [CustomSetting] {
        let context = try await context(instance)
        let customSettings = context.persisted.customBackends[context.backend]?.settings ?? [:]
        return context.app.settings.map { setting in
            let value = context.value(of: setting) ?? ""
            return CustomSetting(
                name: setting.name, label: setting.label, isSecret: setting.isSecret,
                displayValue: setting.isSecret && !value.isEmpty ? Token.masked(value) : value,
                isCustom: customSettings[setting.name] != nil)
        }
    }

    private static func validateSetting(_ name: String, _ value: String, of app: App)
        throws(Problem)
    {
        guard app.settings.contains(where: { $0.name == name }) else {
            let available = app.settings.map(\.name).joined(separator: ", ")
            throw Problem.invalidBackend(
                "/settings/\(name)",
                available.isEmpty
                    ? "\(app.name) has no settings."
                    : "\(app.name) has no setting \(name.prefix(40)); it has \(available).")
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
            status: 422, code: "bad-backend", title: "Invalid backend settings", detail: detail,
            errors: [.init(pointer: pointer, detail: detail)])
    }
}

/// A setting of an app that the user can change.
package struct CustomSetting: Sendable, Equatable {
    package var name: String
    package var label: String
    package var isSecret: Bool
    /// The value; of a secret the first 6 and last 4 characters.
    package var displayValue: String
    /// Whether the user set it, instead of the manifest.
    package var isCustom: Bool
}
