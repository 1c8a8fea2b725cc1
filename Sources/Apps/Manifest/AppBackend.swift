/// A backend an app can be pointed at.
package struct AppBackend: Sendable, Equatable {
    package var id: String
    package var label: String
    /// What a screen says of it in a corner: `DEV`. Nil where a shipped app
    /// says nothing.
    package var badge: String?
    package var base: Base
    /// Calls this backend speaks differently: a dialect.
    package var calls: [String: Call]
    /// Calls this backend has nothing for. They are left out wherever they
    /// stand in a row; an action all of whose calls are missing is not shown,
    /// but for best effort ones, which it can do without.
    package var missingCalls: Set<String>
    /// Values the app's settings have there, by name.
    package var settings: [String: SettingValue]

    /// What a setting is at a backend unless the user says otherwise.
    package enum SettingValue: Sendable, Equatable {
        case text(String)
        /// `embedded:anonKey`: what the embedded contract of `base` says of
        /// itself.
        case contractSetting(String)
    }

    /// Where its calls go.
    package enum Base: Sendable, Equatable {
        /// `embedded:atlas/api/v1`: a contract of the embedded backend and a
        /// path below `http://127.0.0.1:7071/{workspace}/{contract}`.
        case embedded(contract: String, path: String)
        /// An absolute URL without a trailing slash: https, or loopback.
        case url(String)
    }
}
