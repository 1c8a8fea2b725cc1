/// One mobile app's sign-in, as its manifest describes it.
///
/// Names in dictionaries are the manifest's; where order counts (the first
/// backend is the default, fields and storage show in the order written) there
/// is an array beside it or instead of it.
package struct App: Sendable, Equatable {
    /// The folder's name, and the app's name in every address.
    package var id: String
    package var name: String
    /// Place among the apps, ascending.
    package var order: Int
    /// The document it comes from, for people.
    package var spec: String?
    package var appearance: Appearance
    /// What the console paints of it outside the phone.
    package var look: Look
    package var settings: [Setting]
    /// In the order written; the first is the default. Never empty.
    package var backends: [Backend]
    package var network: Network
    package var storage: [StorageKey]
    package var calls: [String: Call]
    package var session: SessionRules
    package var launch: [LaunchRow]
    /// In the order written.
    package var screens: [Screen]
    package var walkthrough: [Step]

    /// The call `name` as `backend` speaks it: its dialect's, else the app's.
    package func call(_ name: String, backend: String) -> Call? {
        backends.first { $0.id == backend }?.calls[name] ?? calls[name]
    }

    package func screen(_ id: String) -> Screen? {
        screens.first { $0.id == id }
    }

    /// The storage key that holds the captured value `name`.
    package func storageKey(holding name: String) -> StorageKey? {
        storage.first { $0.holds == name }
    }

    package enum Appearance: String, Sendable { case dark, light, system }

    /// Glyph and cover colours for the console, CSS hex (`#2D1810`).
    package struct Look: Sendable, Equatable {
        package var glyph: String
        package var ground: String
        package var letter: String
        package var cover: String
        package var glow: String
    }

    /// A value the user of Foyer gives, such as an API key.
    package struct Setting: Sendable, Equatable {
        package var name: String
        package var label: String
        package var secret: Bool
        package var `default`: String?
    }

    /// A step of the walkthrough.
    package struct Step: Sendable, Equatable {
        package var screen: String
        package var note: String
    }
}
