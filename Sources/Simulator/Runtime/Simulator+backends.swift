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
        let before = try await context(instance, app)
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
        let after = try await context(instance, app)
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

/// Validates a custom base URL: https, or loopback, and never Foyer itself.
///
/// Checks only the text; resolved addresses are checked when they are used.
enum CustomBaseURL {
    private static let maxLength = 2_048

    /// The base URL without a trailing slash.
    static func validate(_ text: String, foyerPorts: Set<UInt16>) throws(Problem) -> String {
        guard text.utf8.count <= maxLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains(where: { "\\\"<>^`{|}".contains($0) })
        else { throw problem("It contains invalid characters.") }
        let address = URLParts(text)
        guard let scheme = address.scheme, address.authority != nil else {
            throw problem("Include the scheme: https://api.example.com/v1.")
        }
        guard address.query == nil, address.fragment == nil else {
            throw problem("A base URL has no query or fragment.")
        }
        guard address.userInfo == nil else {
            throw problem("A base URL must not contain credentials.")
        }
        let host = address.host
        guard !host.isEmpty else { throw problem("It has no host.") }
        guard !host.hasPrefix("[") || host.hasSuffix("]") else {
            throw problem("Its host is invalid.")
        }
        let isLocal = isThisMachine(host)
        switch scheme {
        case "https": break
        case "http": guard isLocal else { throw problem("http is for localhost only; use https.") }
        default: throw problem("Only http and https URLs.")
        }
        guard let port = address.port else { throw problem("Its port must be 1 to 65535.") }
        guard !isLocal || !foyerPorts.contains(port) else {
            throw problem("It is Foyer's own address.")
        }
        return text.withoutTrailingSlashes
    }

    /// Whether a host is this machine, in any spelling that some resolver accepts: `127.1` and
    /// `localhost.` too.
    private static func isThisMachine(_ host: String) -> Bool {
        let name = host.last == "." ? String(host.dropLast()) : host
        return URLParts("//" + name).isLoopback || ["0.0.0.0", "[::]"].contains(name)
            || name.hasPrefix("[::ffff:127.")
            || name.hasPrefix("127.")
                && name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func problem(_ detail: String) -> Problem {
        Problem(
            status: 422, code: "invalid-base-url", title: "Invalid base URL", detail: detail,
            errors: [.init(pointer: "/base", detail: detail)])
    }
}

/// The simulator's access to the embedded backend: its base URL and its client settings.
package struct EmbeddedBackendAccess: Sendable {
    /// `http://127.0.0.1:7071`
    var baseURL: String
    /// A setting of a contract in a workspace, such as its `anonKey`.
    let clientSetting: ClientSetting

    package typealias ClientSetting =
        @Sendable (_ name: String, _ contract: String, _ workspace: String) -> String?

    package init(baseURL: String, clientSetting: @escaping ClientSetting = { _, _, _ in nil }) {
        self.baseURL = baseURL
        self.clientSetting = clientSetting
    }
}
