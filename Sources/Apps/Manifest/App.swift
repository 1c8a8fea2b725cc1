/// One mobile app's sign-in, as its manifest describes it.
///
/// Dictionaries are keyed by the manifest's names. Where order matters (the first backend is the
/// default, fields and storage are shown in file order) there is an array beside or instead of a
/// dictionary.
///
/// A reference to the parsed manifest, because every page, call and event carries one: copying it
/// costs as much as copying a string.
package struct App: Sendable, Equatable {
    private let box: Box

    init(_ contents: Contents) { box = Box(contents) }

    /// The folder's name, used in URLs.
    package var id: String { box.contents.id }
    package var name: String { box.contents.name }
    /// Sort order among the apps, ascending.
    package var order: Int { box.contents.order }
    /// The specification the app was written from, for readers.
    package var spec: String? { box.contents.spec }
    package var appearance: Appearance { box.contents.appearance }
    /// The app's colors and glyph in the console.
    package var look: Look { box.contents.look }
    package var settings: [Setting] { box.contents.settings }
    /// In file order; the first is the default. Never empty.
    package var backends: [AppBackend] { box.contents.backends }
    package var network: Network { box.contents.network }
    package var storage: [StorageKey] { box.contents.storage }
    package var calls: [String: Call] { box.contents.calls }
    package var session: SessionRules { box.contents.session }
    package var launch: [LaunchRow] { box.contents.launch }
    /// In file order.
    package var screens: [Screen] { box.contents.screens }
    package var walkthrough: [WalkthroughEntry] { box.contents.walkthrough }
    /// Values held in memory until the next cold start.
    package var memory: [MemoryKey] { box.contents.memory }

    /// The call `name` in the dialect of `backend`, else the app's.
    package func call(_ name: String, backend: String) -> Call? {
        backends.first { $0.id == backend }?.calls[name] ?? calls[name]
    }

    /// Whether `backend` does not support the call `name`.
    package func isCallMissing(_ name: String, backend: String) -> Bool {
        backends.first { $0.id == backend }?.missingCalls.contains(name) ?? false
    }

    /// Whether `backend` supports an action: at least one of the calls it depends on is available.
    package func canPerform(_ action: Action, backend: String) -> Bool {
        let needed = action.calls.filter { call($0, backend: backend)?.isBestEffort != true }
        return needed.isEmpty || !needed.allSatisfy { isCallMissing($0, backend: backend) }
    }

    package func screen(_ id: String) -> Screen? { screens.first { $0.id == id } }

    /// The storage key that holds the captured value `name`, or the key `name` itself if it holds a
    /// constant or fields.
    package func storageKey(holding name: String) -> StorageKey? {
        storage.first { $0.capturedName == name }
            ?? storage.first { $0.capturedName == nil && $0.key == name }
    }

    package static func == (lhs: App, rhs: App) -> Bool {
        lhs.box === rhs.box || lhs.box.contents == rhs.box.contents
    }

    /// The names of the values that any call of any backend sends as its bearer.
    package var bearerNames: Set<String> { box.bearerNames }

    private final class Box: Sendable {
        let contents: Contents
        /// Computed once: it is checked for every stored value of every page.
        let bearerNames: Set<String>

        init(_ contents: Contents) {
            self.contents = contents
            let calls = Array(contents.calls.values) + contents.backends.flatMap(\.calls.values)
            bearerNames = Set(calls.compactMap(\.request.bearerName))
        }
    }

    package enum Appearance: String, Sendable, CaseIterable { case dark, light, system }

    /// The app's colors and glyph in the console, outside the device frame; colors are CSS hex
    /// (`#2D1810`).
    package struct Look: Sendable, Equatable {
        /// One or two letters in `foreground` on `background`.
        package var glyph: String
        package var background: String
        package var foreground: String
        package var cover: String
        package var glow: String
    }

    /// A value the user of Foyer provides, such as an API key.
    package struct Setting: Sendable, Equatable {
        package var name: String
        package var label: String
        package var isSecret: Bool
        package var `defaultValue`: String?
        /// Shown instead of making a call that needs the value while it is not set.
        package var missingMessage: String?
    }

    /// A name whose value the app holds in memory.
    ///
    /// A captured value or a submitted field of that name sets it. (A submitted field also sets a
    /// name in storage, until that is stored.) It is dropped at the next cold start, and when an
    /// action or an expired session clears an area. With `perField`, one value is held for each
    /// value of that field (which code was requested, by email address), set by a call's
    /// `valuesToRemember`.
    package struct MemoryKey: Sendable, Equatable {
        package var name: String
        /// The field that distinguishes the values.
        package var perField: String?
        /// The value if none is remembered.
        package var defaultValue: String?
        /// The claim of the stored access token that replaces the value after a cold start: a phone
        /// can read its own token.
        package var claim: String?
    }

    /// A step of the walkthrough.
    package struct WalkthroughEntry: Sendable, Equatable {
        package var screen: String
        package var note: String
        /// In the order of their markers.
        package var points: [WalkthroughPoint]
    }

    /// An annotation of a screen in the walkthrough.
    package struct WalkthroughPoint: Sendable, Equatable {
        /// The field, action, link or tab it refers to; nil for the entire screen.
        package var target: String?
        package var heading: String
        package var text: String
    }
}

extension App {
    /// The contents of an app's manifest, documented at the properties of `App`.
    struct Contents: Sendable, Equatable {
        var id: String
        var name: String
        var order: Int
        var spec: String?
        var appearance: Appearance
        var look: Look
        var settings: [Setting]
        var backends: [AppBackend]
        var network: Network
        var storage: [StorageKey]
        var calls: [String: Call]
        var session: SessionRules
        var launch: [LaunchRow]
        var screens: [Screen]
        var walkthrough: [WalkthroughEntry]
        var memory: [MemoryKey]
    }
}

/// How an app refreshes, checks and ends its session.
package struct SessionRules: Sendable, Equatable {
    /// The call that refreshes the session; nil if the app has none.
    package var refreshCall: String?
    /// Seconds before `exp` at which to refresh; 0 refreshes only after a 401.
    package var refreshLeadSeconds: Int
    /// The call that checks whether the access token is accepted; nil uses the first call that only
    /// reads with it.
    package var probeCall: String?
    /// What to do when the session has expired and cannot be refreshed.
    package var expired: Expiry?

    package struct Expiry: Sendable, Equatable {
        package var areasToClear: [StorageKey.Area]
        /// The launch screen runs the launch table again.
        package var destination: String
        package var message: String?
        package var presentation: Action.FailureHandling.Presentation
        package var title: String?
    }
}

/// A row of the launch table; the first row whose requirements are met is used.
package struct LaunchRow: Sendable, Equatable {
    /// Captured names that must be stored.
    package var requiredNames: [String]
    /// Captured names that must not be stored.
    package var absentNames: [String]
    /// Required stored values: `isAuthenticated: 'true'`.
    package var `expectedValues`: [String: String]
    /// An access token that has expired or is about to is refreshed first.
    package var refreshesExpiredToken: Bool
    /// Calls made in order before navigating.
    package var calls: [String]
    /// Captured values to store, by name.
    package var namesToStore: [String]
    /// Areas cleared before the row's calls.
    package var areasToClear: [StorageKey.Area]
    package var destination: String
    /// Rules evaluated before `destination`; the first that matches wins.
    package var navigationRules: [Action.NavigationRule]
    /// Failure kind (`unverified`, `offline`, `timeout`, `connection`, `failed`) to a screen, or to
    /// `stay`: the launch screen shows the error and Retry.
    package var onFailure: [String: String]
}
