import Apps
import FoundationEssentials

/// The state of an app on a device that survives a restart of the console.
///
/// A value type: a change is made on a copy, committed, and only then visible.
struct PersistedAppState: Sendable, Equatable {
    /// Its row; nil before the first write.
    var rowID: Int64?
    var screen: String
    var screenSince: Date
    /// The selected backend; nil means the manifest's first.
    var backend: String?
    /// The user's custom base URLs and settings, by backend.
    var customBackends: [String: CustomBackend] = [:]
    var visits: [AppStatus.VisitCount] = []
    var transitions: [Transition] = []
    /// Index in `transitions` of the last one made.
    var lastTransitionIndex: Int?
    /// Screens shown since the last commit, each with the screen before if that was another.
    var newTransitions: [Transition] = []
    var items: [String: StorageItem] = [:]
    /// Items whose values cannot be unsealed, as stored, by key.
    var unreadableItems: [String: StorageItem] = [:]
    /// The custom backends as stored, if they cannot be unsealed.
    var unreadableCustomBackends: String?
    /// The active session; ended ones are only in the database.
    var session: Session?

    /// The user's base URL and settings for a backend, instead of the manifest's.
    struct CustomBackend: Sendable, Equatable {
        var baseURL: String?
        /// By name; sealed in the database, secret or not.
        var settings: [String: String] = [:]
    }

    /// An app that was never started on this device.
    static func firstStart(of app: App, at date: Date) -> PersistedAppState {
        PersistedAppState(screen: app.launchScreenID, screenSince: date)
    }

    /// Shows `screen`; counts as a visit even if it is shown already.
    mutating func showScreen(_ screen: String, at date: Date) {
        if let index = visits.firstIndex(where: { $0.screen == screen }) {
            visits[index].count += 1
        } else {
            visits.append(AppStatus.VisitCount(screen: screen, count: 1))
        }
        if screen != self.screen {
            let from = self.screen
            newTransitions.append(Transition(from: from, to: screen, count: 1))
            if let index = transitions.firstIndex(where: { $0.from == from && $0.to == screen }) {
                transitions[index].count += 1
                lastTransitionIndex = index
            } else {
                lastTransitionIndex = transitions.count
                transitions.append(Transition(from: from, to: screen, count: 1))
            }
        } else {
            newTransitions.append(Transition(from: "", to: screen, count: 1))
        }
        self.screen = screen
        screenSince = date
    }

    /// Clears storage areas, except items that survive clearing, and the items of `keys`, including
    /// surviving ones.
    mutating func clearItems(_ areas: [StorageKey.Area], keys: [String] = [], of app: App) {
        let surviving = Set(app.storage.filter(\.survivesClearing).map(\.key))
        items = items.filter {
            !keys.contains($0.key) && (!areas.contains($0.value.area) || surviving.contains($0.key))
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

    /// The screen that a cold start shows; the manifest loader guarantees that there is one.
    var launchScreenID: String { (screens.first { $0.kind == .launch } ?? screens.first)?.id ?? "" }

    /// Whether the captured value `name` is a secret: a bearer token of a call, or any value named
    /// a token.
    func isToken(_ name: String) -> Bool {
        name.hasSuffix("Token") || name == "token" || bearerNames.contains(name)
    }
}
