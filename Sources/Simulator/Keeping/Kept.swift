import Apps
import FoundationEssentials

/// What an app on a device keeps across a restart of the console.
///
/// A value: a change is made on a copy, committed, and only then shown.
struct Kept: Sendable, Equatable {
    /// Its row; nil until something was kept.
    var row: Int64?
    var screen: String
    var since: Date
    /// The backend chosen; nil is the manifest's first.
    var backend: String?
    /// The user's own addresses and settings, by backend.
    var own: [String: OwnBackend] = [:]
    var visits: [Situation.Visit] = []
    var paths: [Transition] = []
    /// Index in `paths` of the way taken last.
    var lastPath: Int?
    /// By key.
    var items: [String: Item] = [:]
    /// Items whose values cannot be unsealed, as they are stored, by key.
    var unreadable: [String: Item] = [:]
    /// The addresses and settings if they cannot be unsealed, as stored.
    var unreadableOwn: String?
    /// The session under way; an ended one is in the database alone.
    var session: Session?
    /// The access token's generation in `session`, from 1.
    var generation = 0

    /// What somebody chose for a backend instead of the manifest's.
    struct OwnBackend: Sendable, Equatable {
        var base: String?
        /// By name; sealed at rest, secret or not.
        var settings: [String: String] = [:]
    }

    /// An app that was never started on this device.
    init(fresh app: App, at date: Date) {
        screen = app.launchScreen
        since = date
    }

    init(row: Int64, screen: String, since: Date) {
        self.row = row
        self.screen = screen
        self.since = since
    }

    /// Shows `screen`, which counts even if it is shown already.
    mutating func show(_ screen: String, at date: Date) {
        if let index = visits.firstIndex(where: { $0.screen == screen }) {
            visits[index].count += 1
        } else {
            visits.append(Situation.Visit(screen: screen, count: 1))
        }
        if screen != self.screen {
            let from = self.screen
            if let index = paths.firstIndex(where: { $0.from == from && $0.to == screen }) {
                paths[index].count += 1
                lastPath = index
            } else {
                lastPath = paths.count
                paths.append(Transition(from: from, to: screen, count: 1))
            }
        }
        self.screen = screen
        since = date
    }

    /// Empties areas of the storage, but for what survives that.
    /// `keys` go too, those that survive among them.
    mutating func clear(_ areas: [StorageKey.Area], keys: [String] = [], of app: App) {
        let kept = Set(app.storage.filter(\.survives).map(\.key))
        items = items.filter {
            !keys.contains($0.key) && (!areas.contains($0.value.area) || kept.contains($0.key))
        }
    }

    /// The item that holds the captured value `name`.
    func item(holding name: String, in app: App) -> Item? {
        app.storageKey(holding: name).flatMap { items[$0.key] }
    }

    func accessToken(in app: App) -> String? { item(holding: App.accessToken, in: app)?.value }

    func refreshToken(in app: App) -> String? { item(holding: App.refreshToken, in: app)?.value }
}

extension App {
    /// The names under which manifests capture a session's tokens.
    static let accessToken = "accessToken"
    static let refreshToken = "refreshToken"

    /// The screen a cold start shows; the loader sees to it that there is one.
    var launchScreen: String { (screens.first { $0.kind == .launch } ?? screens.first)?.id ?? "" }

    /// Whether what is captured under `name` is a secret: what calls carry as
    /// bearer, and whatever calls itself a token.
    func isToken(_ name: String) -> Bool {
        name.hasSuffix("Token") || name == "token" || bearers.contains(name)
    }
}
