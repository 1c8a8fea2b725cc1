import Apps
import FoundationEssentials

/// What an app on a device keeps across a restart of the console.
///
/// A value: a change is made on a copy, committed, and only then shown.
struct PersistedAppState: Sendable, Equatable {
    /// Its row; nil until something was kept.
    var rowID: Int64?
    var screen: String
    var screenSince: Date
    /// The backend chosen; nil is the manifest's first.
    var backend: String?
    /// The user's own addresses and settings, by backend.
    var customBackends: [String: CustomBackend] = [:]
    var visits: [AppStatus.VisitCount] = []
    var transitions: [Transition] = []
    /// Index in `paths` of the way taken last.
    var lastTransitionIndex: Int?
    /// By key.
    var items: [String: StorageItem] = [:]
    /// Items whose values cannot be unsealed, as they are stored, by key.
    var unreadableItems: [String: StorageItem] = [:]
    /// The addresses and settings if they cannot be unsealed, as stored.
    var unreadableCustomBackends: String?
    /// The session under way; an ended one is in the database alone.
    var session: Session?
    /// The access token's generation in `session`, from 1.
    var accessTokenGeneration = 0

    /// What somebody chose for a backend instead of the manifest's.
    struct CustomBackend: Sendable, Equatable {
        var baseURL: String?
        /// By name; sealed at rest, secret or not.
        var settings: [String: String] = [:]
    }

    /// An app that was never started on this device.
    init(firstStartOf app: App, at date: Date) {
        screen = app.launchScreenID
        screenSince = date
    }

    init(rowID: Int64, screen: String, screenSince: Date) {
        self.rowID = rowID
        self.screen = screen
        self.screenSince = screenSince
    }

    /// Shows `screen`, which counts even if it is shown already.
    mutating func showScreen(_ screen: String, at date: Date) {
        if let index = visits.firstIndex(where: { $0.screen == screen }) {
            visits[index].count += 1
        } else {
            visits.append(AppStatus.VisitCount(screen: screen, count: 1))
        }
        if screen != self.screen {
            let from = self.screen
            if let index = transitions.firstIndex(where: { $0.from == from && $0.to == screen }) {
                transitions[index].count += 1
                lastTransitionIndex = index
            } else {
                lastTransitionIndex = transitions.count
                transitions.append(Transition(from: from, to: screen, count: 1))
            }
        }
        self.screen = screen
        screenSince = date
    }

    /// Empties areas of the storage, but for what survives that.
    /// `keys` go too, those that survive among them.
    mutating func clearItems(_ areas: [StorageKey.Area], keys: [String] = [], of app: App) {
        let kept = Set(app.storage.filter(\.survivesClearing).map(\.key))
        items = items.filter {
            !keys.contains($0.key) && (!areas.contains($0.value.area) || kept.contains($0.key))
        }
    }

    /// The item that holds the captured value `name`.
    func item(holding name: String, in app: App) -> StorageItem? {
        app.storageKey(holding: name).flatMap { items[$0.key] }
    }

    func accessToken(in app: App) -> String? { item(holding: App.accessTokenName, in: app)?.value }

    func refreshToken(in app: App) -> String? {
        item(holding: App.refreshTokenName, in: app)?.value
    }
}

extension App {
    /// The names under which manifests capture a session's tokens.
    static let accessTokenName = "accessToken"
    static let refreshTokenName = "refreshToken"

    /// The screen a cold start shows; the loader sees to it that there is one.
    var launchScreenID: String { (screens.first { $0.kind == .launch } ?? screens.first)?.id ?? "" }

    /// Whether what is captured under `name` is a secret: what calls carry as
    /// bearer, and whatever calls itself a token.
    func isToken(_ name: String) -> Bool {
        name.hasSuffix("Token") || name == "token" || bearerNames.contains(name)
    }
}
