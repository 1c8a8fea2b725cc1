/// One mobile app's sign-in, as its manifest describes it.
///
/// Names in dictionaries are the manifest's; where order counts (the first
/// backend is the default, fields and storage show in the order written) there
/// is an array beside it or instead of it.
///
/// Every page, call and event carries one, so it is a reference to what was
/// read: handing it on costs as much as one string.
package struct App: Sendable, Equatable {
    private let box: Box

    init(_ body: Contents) { box = Box(body) }

    /// The folder's name, and the app's name in every address.
    package var id: String { box.contents.id }
    package var name: String { box.contents.name }
    /// Place among the apps, ascending.
    package var order: Int { box.contents.order }
    /// The document it comes from, for people.
    package var spec: String? { box.contents.spec }
    package var appearance: Appearance { box.contents.appearance }
    /// What the console paints of it outside the phone.
    package var look: Look { box.contents.look }
    package var settings: [Setting] { box.contents.settings }
    /// In the order written; the first is the default. Never empty.
    package var backends: [AppBackend] { box.contents.backends }
    package var network: Network { box.contents.network }
    package var storage: [StorageKey] { box.contents.storage }
    package var calls: [String: Call] { box.contents.calls }
    package var session: SessionRules { box.contents.session }
    package var launch: [LaunchRow] { box.contents.launch }
    /// In the order written.
    package var screens: [Screen] { box.contents.screens }
    package var walkthrough: [WalkthroughEntry] { box.contents.walkthrough }
    /// Names held without being stored, until the next cold start.
    package var memory: [MemoryKey] { box.contents.memory }

    /// The call `name` as `backend` speaks it: its dialect's, else the app's.
    package func call(_ name: String, backend: String) -> Call? {
        backends.first { $0.id == backend }?.calls[name] ?? calls[name]
    }

    /// Whether `backend` has nothing for the call `name`.
    package func isCallMissing(_ name: String, backend: String) -> Bool {
        backends.first { $0.id == backend }?.missingCalls.contains(name) ?? false
    }

    /// Whether an action can be done with `backend`: of the calls that it
    /// depends on, one must be there.
    package func canPerform(_ action: Action, backend: String) -> Bool {
        let needed = action.calls.filter { call($0, backend: backend)?.isBestEffort != true }
        return needed.isEmpty || !needed.allSatisfy { isCallMissing($0, backend: backend) }
    }

    package func screen(_ id: String) -> Screen? { screens.first { $0.id == id } }

    /// The storage key that holds the captured value `name`, or the key
    /// `name` itself if it holds a constant or fields.
    package func storageKey(holding name: String) -> StorageKey? {
        storage.first { $0.capturedName == name }
            ?? storage.first { $0.capturedName == nil && $0.key == name }
    }

    package static func == (one: App, other: App) -> Bool {
        one.box === other.box || one.box.contents == other.box.contents
    }

    /// What any call of any backend carries as its bearer, by name.
    package var bearerNames: Set<String> { box.bearerNames }

    private final class Box: Sendable {
        let contents: Contents
        /// Worked out once: asked of every held value of every page.
        let bearerNames: Set<String>

        init(_ body: Contents) {
            self.contents = body
            let calls = Array(body.calls.values) + body.backends.flatMap(\.calls.values)
            bearerNames = Set(calls.compactMap(\.request.bearerName))
        }
    }

    package enum Appearance: String, Sendable, CaseIterable { case dark, light, system }

    /// How the console paints the app outside its phone; CSS hex (`#2D1810`).
    package struct Look: Sendable, Equatable {
        /// One or two letters on `ground`, in `letter`.
        package var glyph: String
        package var background: String
        package var foreground: String
        package var cover: String
        package var glow: String
    }

    /// A value the user of Foyer gives, such as an API key.
    package struct Setting: Sendable, Equatable {
        package var name: String
        package var label: String
        package var isSecret: Bool
        package var `defaultValue`: String?
        /// What the user reads instead of a call that needs the value while
        /// there is none: the app was not set up.
        package var missingMessage: String?
    }

    /// A name whose value the app keeps in memory.
    ///
    /// A capture of that name sets it, and so does a submitted field of that
    /// name (as it does, until it is stored, for a name in storage). It ends with the next cold start, and when an action or a lost
    /// session empties an area. With `per`, one value is kept for each value
    /// of that field (which code was asked for, by e-mail address), set by a
    /// call's `remember`.
    package struct MemoryKey: Sendable, Equatable {
        package var name: String
        /// The field whose value it is kept for.
        package var perField: String?
        /// The value where nothing is remembered.
        package var defaultValue: String?
        /// The claim of the stored access token that stands in for it after a
        /// cold start: a phone can read its own token.
        package var claim: String?
    }

    /// A step of the walkthrough.
    package struct WalkthroughEntry: Sendable, Equatable {
        package var screen: String
        package var note: String
        /// What to look at, in the order of the marks.
        package var points: [WalkthroughPoint]
    }

    /// Something to look at on a screen.
    package struct WalkthroughPoint: Sendable, Equatable {
        /// The field, action, link or tab it speaks of; nil for the whole.
        package var target: String?
        package var heading: String
        package var text: String
    }
}
