import Web

/// One mobile app's sign-in, as its manifest describes it.
///
/// Dictionaries are keyed by the manifest's names. Where order matters (the first backend is the
/// default, fields and storage are shown in file order) there is an array beside or instead of a
/// dictionary.
///
/// A class, because every page, call and event carries one.
package final class App: Sendable, Equatable {
    /// The folder's name, used in URLs.
    package let id: String
    package let name: String
    /// Sort order among the apps, ascending.
    package let order: Int
    static let defaultOrder = 1000
    /// The specification the app was written from, for readers.
    package let spec: String?
    /// The scheme of the app's own URLs, in lower case: `atlas` in `atlas://settings`.
    package let scheme: String
    package let appearance: Appearance
    /// The app's colors and glyph in the console.
    package let look: Look
    package let settings: [Setting]
    /// In file order; the first is the default. Never empty.
    package let backends: [AppBackend]
    package let network: Network
    package let storage: [StorageKey]
    package let calls: [String: Call]
    package let session: SessionRules
    package let launch: [LaunchRow]
    /// In file order.
    package let screens: [Screen]
    package let walkthrough: [WalkthroughEntry]
    /// Values held in memory until the next cold start.
    package let memory: [MemoryKey]
    /// The names of the values that any call of any backend sends as its bearer.
    package let bearerNames: Set<String>
    /// Every text of the manifest that users see, without its screens.
    let writtenTexts: [ManifestText]

    /// Reads the manifest in `node`; `ManifestCheck` checks the cross-references afterwards.
    init(id: String, _ node: ManifestNode) {
        node.read(or: ()) {
            try $0.allowOnly([
                "name", "order", "spec", "scheme", "appearance", "look", "settings", "backends",
                "network",
                "memory", "storage", "calls", "failures", "session", "launch", "screens",
                "walkthrough",
            ])
        }
        self.id = id
        let name = node.read(or: id) { try $0.require("name").text(.title) }
        self.name = name
        order = node.read(or: 0) { try $0["order"]?.int(in: 0...10_000) ?? Self.defaultOrder }
        spec = node.read(or: nil) { try $0["spec"]?.string() }
        scheme = node.read(or: id) { try $0["scheme"]?.urlScheme() ?? id }.lowercased()
        appearance = node.read(or: .system) { try $0["appearance"]?.choice() ?? .system }
        look = node.read(or: Look()) { try Look($0.object("look"), name: name) }
        memory = node.members("memory", MemoryKey.init)
        storage = node.members("storage", StorageKey.init)
        screens = node.read(or: []) { try $0.require("screens").readMembers(Screen.init) }
        let calls = node.members("calls") { (try $0.identifier($1), try Call($0)) }
        let backends = node.read(or: []) { try AppBackend.read($0.require("backends")) }
        let sharedFailures = node.list("failures", Call.Failure.init)
        self.calls = Dictionary(uniqueKeysWithValues: calls).mapValues { $0.adding(sharedFailures) }
        self.backends = backends.map { $0.adding(sharedFailures) }
        settings = node.members("settings", Setting.init)
        network = node.read(or: Network()) { try Network($0.object("network")) }
        session = node.read(or: SessionRules()) { try SessionRules($0.object("session")) }
        launch = node.read(or: []) { try $0.require("launch").readElements(LaunchRow.init) }
        walkthrough = node.list("walkthrough", WalkthroughEntry.init)
        let allCalls = calls.map(\.1) + backends.flatMap(\.calls.values)
        bearerNames = Set(allCalls.compactMap(\.request.bearerName))
        writtenTexts = node.record.texts
    }

    package static func == (lhs: App, rhs: App) -> Bool { lhs === rhs }

    /// The app's color scheme; `system` follows the device.
    package enum Appearance: String, Sendable, CaseIterable { case dark, light, system }

    /// The app's colors and glyph in the console, outside the device frame; colors are CSS hex
    /// (`#2D1810`).
    package struct Look: Sendable, Equatable {
        /// One or two letters in `foreground` on `background`.
        package var glyph = ""
        package var background = "#3A3F47"
        package var foreground = "#FFFFFF"
        package var cover = ""
        package var glow = ""

        init() {}

        /// Defaults: the first letter of the name on gray.
        init(_ node: ManifestNode, name: String) throws {
            try node.allowOnly(["glyph", "background", "letter", "cover", "glow"])
            glyph = try node["glyph"]?.string() ?? String(name.prefix(1))
            background = try node["background"]?.color() ?? background
            foreground = try node["letter"]?.color() ?? foreground
            cover = try node["cover"]?.color() ?? background
            glow = try node["glow"]?.color() ?? cover
            try node["glyph"]?.check(
                (1...2).contains(glyph.count), "A glyph has one or two letters",
                "Write it like 'M'.")
        }
    }

    /// A value the user of Foyer provides, such as an API key.
    package struct Setting: Sendable, Equatable {
        package var name: String
        package var label: String
        package var isSecret: Bool
        package var defaultValue: String?
        /// Shown instead of making a call that needs the value while it is not set.
        package var missingMessage: String?

        init(_ node: ManifestNode, name: String) throws {
            try node.allowOnly(["label", "secret", "default", "missing"])
            self.name = try node.identifier(name)
            label = try node.require("label").string()
            isSecret = try node["secret"]?.bool() ?? false
            defaultValue = try node["default"]?.string()
            missingMessage = try node["missing"]?.text(.setting)
        }
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

        init(_ node: ManifestNode, name: String) throws {
            try node.allowOnly(["per", "default", "claim"])
            self.name = try node.identifier(name)
            perField = try node["per"]?.reference(.anyField)
            defaultValue = try node["default"]?.string()
            claim = try node["claim"]?.string()
        }
    }

    /// A step of the walkthrough.
    package struct WalkthroughEntry: Sendable, Equatable {
        package var screen: String
        package var note: String
        /// In the order of their markers.
        package var points: [WalkthroughPoint]

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["screen", "note", "points"])
            screen = try node.require("screen").reference(.screen)
            note = try node.require("note").string()
            points = node.list("points", WalkthroughPoint.init)
        }
    }

    /// An annotation of a screen in the walkthrough.
    package struct WalkthroughPoint: Sendable, Equatable {
        /// The field, action, link or tab it refers to; nil for the entire screen.
        package var target: String?
        package var heading: String
        package var text: String

        init(_ node: ManifestNode) throws {
            try node.allowOnly(["at", "lead", "text"])
            target = try node["at"]?.string()
            heading = try node.require("lead").string()
            text = try node.require("text").string()
        }
    }
}

extension ManifestNode {
    /// `#RRGGBB`.
    fileprivate func color() throws -> String {
        let text = try string()
        try check(
            text.utf8.count == 7 && text.hasPrefix("#")
                && text.dropFirst().allSatisfy(\.isHexDigit), "Invalid color \(text)",
            "Write it like '#2D1810'.")
        return text
    }
}

extension App {
    /// The call `name` in the dialect of `backend`, else the app's.
    package func call(_ name: String, backend: String) -> Call? {
        backends.first { $0.id == backend }?.calls[name] ?? calls[name]
    }

    /// The rules that decide which screen is shown instead of `screen` with a session.
    package func navigationRules(of screen: Screen) -> [Action.NavigationRule] {
        (screen.requirement == .session ? session.navigationRules : []) + screen.navigationRules
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

    /// Every call of the app and of its backends' dialects, with its name.
    package var allCalls: [(name: String, call: Call)] {
        ([calls] + backends.map(\.calls)).flatMap { calls in
            calls.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    /// The names of the app's password fields; their values are never stored.
    package var passwordFields: Set<String> {
        Set(screens.flatMap(\.fields).filter { $0.type == .password }.map(\.name))
    }
}

/// A storage key of the app on a phone, with the app's own name.
package struct StorageKey: Sendable, Equatable {
    package var key: String
    package var area: Area
    /// The captured value it stores (`accessToken`), if any.
    package var capturedName: String?
    /// The value is received as seconds from now and stored as a time: `expires_in` as an expiry.
    package var isSecondsFromNow: Bool
    /// iOS's accessibility class, as named in the app's specification.
    package var accessibility: String?
    /// A constant or template stored instead of a captured value.
    package var value: String?
    /// Form fields stored together, by name: the credentials of the sign-in.
    package var fields: [String]
    /// Every reading needs the biometric sensor; a device without one never writes the key.
    package var requiresBiometrics: Bool
    /// A stored name: while it is true, a cold start locks the key until the sensor matched.
    package var lockName: String?
    /// The key is not deleted when its area is cleared.
    package var survivesClearing: Bool
    /// A stored name that must be true: without it the key is not written, and deleted.
    package var consentName: String?
    /// By field: pointers into the value to whose it is. A sign-in in which the field has that value
    /// does not remove it.
    package var ownerPointers: [String: [String]]

    init(_ node: ManifestNode, key: String) throws {
        try node.allowOnly([
            "area", "holds", "fromNow", "accessible", "value", "fields", "biometric", "survives",
            "consent", "owner",
        ])
        self.key = key
        area = try node.require("area").choice()
        capturedName = try node["holds"]?.reference(.capturedOrField)
        isSecondsFromNow = try node["fromNow"]?.bool() ?? false
        accessibility = try node["accessible"]?.string()
        value = try node["value"]?.template()
        fields = try node["fields"]?.references(.anyField) ?? []
        (requiresBiometrics, lockName) =
            try node["biometric"].map(Self.readBiometric) ?? (false, nil)
        survivesClearing = try node["survives"]?.bool() ?? false
        consentName = try node["consent"]?.reference(.stored)
        ownerPointers = try node["owner"]?.dictionary(of: .anyField) { try $0.pointers() } ?? [:]
        let contents = [capturedName != nil, value != nil, !fields.isEmpty]
        try node.check(
            contents.filter({ $0 }).count == 1, "Expected exactly one of holds, value and fields",
            "Write one of them: holds: 'name', value: 'text' or fields: ['name'].")
        try node.check(
            capturedName != nil || !isSecondsFromNow,
            "Only a captured value can be seconds from now",
            "Add holds: 'expiresIn', or remove fromNow.")
        if lockName != nil, capturedName == nil {
            node["biometric"]?.report(
                "Only a key with holds can be locked", "Write biometric: true, or add holds.")
        }
        try node.check(
            capturedName != nil || ownerPointers.isEmpty, "Only a captured value can have an owner",
            "Add holds: 'registration', or remove owner.")
    }

    /// `true`, or the name of a stored value that makes it so while it is true.
    private static func readBiometric(_ node: ManifestNode) throws -> (Bool, lockName: String?) {
        switch node.value {
        case .bool: (try node.bool(), nil)
        case .string: (false, try node.reference(.stored))
        default: throw node.typeError("boolean or a stored name", example: "true")
        }
    }

    /// Where the value is stored on a device.
    package enum Area: String, Sendable, CaseIterable { case keychain, defaults }
}
