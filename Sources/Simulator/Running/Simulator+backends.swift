import Apps
import Secrets
import Web

extension Simulator {
    /// Points the app at another backend; `base` and `settings` are the
    /// user's own.
    ///
    /// Nil leaves what was chosen for that backend before, an empty text goes
    /// back to the manifest's. An app whose calls go elsewhere from now on is
    /// started cold; its storage stays.
    package func chooseBackend(
        _ place: Place, backend: String, base: String?, settings: [String: String]?
    ) async throws {
        let app = try app(place)
        guard let chosen = app.backends.first(where: { $0.id == backend }) else {
            throw Problem.badBackend(
                "/backend",
                "\(app.name) has no backend \(backend.prefix(40)); it has "
                    + app.backends.map(\.id).joined(separator: ", ") + ".")
        }
        var address: String?
        if let base, !base.isEmpty {
            if case .embedded = chosen.base {
                throw Problem.badBackend(
                    "/base",
                    "The embedded backend has no address of your own;"
                        + " choose another backend first.")
            }
            address = try OwnAddress.check(base, ownPorts: ownPorts)
        }
        for (name, value) in settings ?? [:] { try Self.check(name, value, of: app) }
        let before = try await situation(place)
        let own = address
        try await cupboard.change(place, app) { kept, _ in
            kept.backend = backend
            var mine = kept.own[backend] ?? Kept.OwnBackend()
            if base != nil { mine.base = own }
            for (name, value) in settings ?? [:] {
                mine.settings[name] = value.isEmpty ? nil : value
            }
            kept.own[backend] = mine == Kept.OwnBackend() ? nil : mine
        }
        let after = try await situation(place)
        if (before.backend, before.base) != (after.backend, after.base) {
            try await runner.coldStart(place, app, kills: false)
        }
    }

    /// The settings of the app's current backend, secrets masked.
    package func settings(_ place: Place) async throws -> [OwnSetting] {
        let app = try app(place)
        let facts = try await runner.facts(place, app)
        let own = facts.kept.own[facts.backend]?.settings ?? [:]
        return app.settings.map { setting in
            let value = facts.value(of: setting) ?? ""
            return OwnSetting(
                name: setting.name, label: setting.label, secret: setting.secret,
                shown: setting.secret && !value.isEmpty ? Token.masked(value) : value,
                isOwn: own[setting.name] != nil)
        }
    }

    private static func check(_ name: String, _ value: String, of app: App) throws(Problem) {
        guard app.settings.contains(where: { $0.name == name }) else {
            let known = app.settings.map(\.name).joined(separator: ", ")
            throw Problem.badBackend(
                "/settings/\(name)",
                known.isEmpty
                    ? "\(app.name) has no settings."
                    : "\(app.name) has no setting \(name.prefix(40)); it has \(known).")
        }
        guard value.utf8.count <= 8_192, value.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else {
            throw Problem.badBackend(
                "/settings/\(name)", "A setting is one line of at most 8,192 bytes.")
        }
    }
}

extension Problem {
    fileprivate static func badBackend(_ pointer: String, _ detail: String) -> Problem {
        Problem(
            status: 422, code: "bad-backend", title: "The backend cannot be chosen like this",
            detail: detail, errors: [.init(pointer: pointer, detail: detail)])
    }
}
