/// A backend the app can use.
package struct AppBackend: Sendable, Equatable {
    package var id: String
    package var label: String
    /// A label in the corner of the screen: `DEV`. Nil if a released app shows none.
    package var badge: String?
    package var base: Base
    /// The backend's dialect: calls that differ from the app's.
    package var calls: [String: Call]
    /// Calls this backend does not support.
    ///
    /// They are skipped in lists of calls. An action is hidden if all its calls are missing; best
    /// effort calls do not count.
    package var missingCalls: Set<String>
    /// Values of the app's settings for this backend, by name.
    package var settings: [String: SettingValue]

    /// A setting's value for a backend unless the user overrides it.
    package enum SettingValue: Sendable, Equatable {
        case text(String)
        /// `embedded:anonKey`: a value provided by the embedded contract of `base`.
        case contractSetting(String)
    }

    /// The base of its calls.
    package enum Base: Sendable, Equatable {
        /// `embedded:atlas/api/v1`: a contract of the embedded backend and a path below
        /// `http://127.0.0.1:7071/{workspace}/{contract}`.
        case embedded(contract: String, path: String)
        /// An absolute URL without a trailing slash: https, or loopback.
        case url(String)
    }
}

extension AppBackend {
    /// The embedded contract; nil for an external backend.
    package var contract: String? {
        if case .embedded(let contract, _) = base { contract } else { nil }
    }

    /// The manifest's base URL in a workspace, with the embedded backend at `embeddedBase`.
    package func baseURL(embeddedAt embeddedBase: String, workspace: String) -> String {
        switch base {
        case .url(let url): url
        case .embedded(let contract, let path):
            "\(embeddedBase)/\(workspace)/\(contract)" + (path.isEmpty ? "" : "/\(path)")
        }
    }
}
