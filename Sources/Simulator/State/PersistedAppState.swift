import Apps
import Crypto
import FoundationEssentials
import SQLite
import Web

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
        let isChange = screen != self.screen
        let made = Transition(from: isChange ? self.screen : "", to: screen, count: 1)
        newTransitions.append(made)
        if isChange {
            let index = transitions.firstIndex { $0.from == made.from && $0.to == made.to }
            if let index {
                transitions[index].count += 1
                lastTransitionIndex = index
            } else {
                lastTransitionIndex = transitions.count
                transitions.append(made)
            }
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
        removeItemsWithoutConsent(of: app)
    }

    /// Whether the user consented to what `key` stores, if that needs a consent.
    func hasConsent(for key: StorageKey, of app: App) -> Bool {
        key.consentName.map { isTrue($0, in: app) } ?? true
    }

    /// Whether the stored value `name` is true.
    func isTrue(_ name: String, in app: App) -> Bool {
        item(holding: name, in: app)?.json.scalarText == "true"
    }

    /// The keys of the items that only the sensor opens now: a cold start locked them.
    func lockedKeys(of app: App, _ transient: TransientAppState) -> [String] {
        app.storage.filter { key in
            key.lockName.map { isTrue($0, in: app) } == true && items[key.key] != nil
                && !transient.unlockedKeys.contains(key.key)
        }.map(\.key)
    }

    mutating func removeItemsWithoutConsent(of app: App) {
        for key in app.storage where items[key.key] != nil && !hasConsent(for: key, of: app) {
            items[key.key] = nil
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

/// The state as a row of `places`, with its items. Secrets are sealed.
extension PersistedAppState {
    /// The columns of its row.
    func columns(_ sealer: Sealer) throws(Problem) -> Columns {
        let sealedCustomBackends =
            customBackends.isEmpty
            ? "" : try sealer.sealThrowingProblems(customBackendsJSON.description)
        return [
            ("screen", .text(screen)), ("since", .date(screenSince)), ("backend", .text(backend)),
            ("own", .text(unreadableCustomBackends ?? sealedCustomBackends)),
            ("visits", .text(visitsJSON.description)),
            ("paths", .text(transitionsJSON.description)),
            ("last_path", .integer(lastTransitionIndex.map(Int64.init))),
        ]
    }

    /// Reads the state; nil if the app was never started on the device. Values that cannot be
    /// unsealed stay as stored and are logged.
    static func read(
        _ instance: AppInstance, _ sealer: Sealer, _ connection: Connection,
        log: (_ name: String, CryptoError) -> Void
    ) throws -> PersistedAppState? {
        let row = try connection.row(
            """
            SELECT id, screen, since, backend, own, visits, paths, last_path \
            FROM places WHERE device = ? AND app = ?
            """, [.text(instance.device), .text(instance.app)]
        ) { row in
            var state = PersistedAppState(screen: row.text(1), screenSince: row.date(2))
            state.rowID = row.integer(0)
            state.backend = row.optionalText(3)
            state.restoreScreens(
                visits: try? JSON(parsing: row.text(5)),
                transitions: try? JSON(parsing: row.text(6)),
                lastTransitionIndex: row.optionalInteger(7))
            return (state: state, customBackends: row.text(4))
        }
        guard var state = row?.state, let id = state.rowID else { return nil }
        state.session = try SessionTable.activeSession(of: instance, connection)
        let items = try connection.rows(
            "SELECT area, key, value, is_json, written_at FROM items WHERE place = ?",
            [.integer(id)]
        ) { row in
            StorageItem(
                area: StorageKey.Area(rawValue: row.text(0)) ?? .keychain, key: row.text(1),
                value: row.text(2), isJSON: row.bool(3), writtenAt: row.date(4))
        }
        for var item in items {
            do throws(CryptoError) {
                if item.area == .keychain { item.value = try sealer.open(item.value) }
                state.items[item.key] = item
            } catch {
                state.unreadableItems[item.key] = item
                log(item.key, error)
            }
        }
        guard let customBackends = row?.customBackends, !customBackends.isEmpty else {
            return state
        }
        do throws(CryptoError) {
            let text = try sealer.open(customBackends)
            state.customBackends = parseCustomBackends(try? JSON(parsing: text))
        } catch {
            state.unreadableCustomBackends = customBackends
            log(customBackendsTitle, error)
        }
        return state
    }

    /// How messages name the custom backends.
    private static let customBackendsTitle = "the custom backend settings"

    /// Throws a `Problem` that names the unreadable values: without it the app would seem signed
    /// out, or call another backend.
    func checkReadable(_ instance: AppInstance, _ app: App) throws(Problem) {
        let names =
            unreadableItems.keys.sorted()
            + (unreadableCustomBackends == nil ? [] : [Self.customBackendsTitle])
        guard names.isEmpty else { throw Problem.storageUnreadable(names, instance, app) }
    }

    // MARK: Parts that rows and snapshots store as the same JSON

    var visitsJSON: JSON { .array(visits.map { [.string($0.screen), JSON($0.count)] }) }

    var transitionsJSON: JSON {
        .array(transitions.map { [.string($0.from), .string($0.to), JSON($0.count)] })
    }

    mutating func restoreScreens(visits: JSON?, transitions: JSON?, lastTransitionIndex: Int64?) {
        self.visits = (visits?.elements ?? []).map {
            AppStatus.VisitCount(screen: $0[0]?.string ?? "", count: Int($0[1]?.int ?? 0))
        }
        self.transitions = (transitions?.elements ?? []).map {
            Transition(
                from: $0[0]?.string ?? "", to: $0[1]?.string ?? "", count: Int($0[2]?.int ?? 0))
        }
        self.lastTransitionIndex = lastTransitionIndex.map { Int($0) }.flatMap {
            self.transitions.indices.contains($0) ? $0 : nil
        }
    }

    var customBackendsJSON: JSON {
        JSON(
            customBackends.mapValues {
                ["base": JSON($0.baseURL), "settings": JSON(sorting: $0.settings)]
            })
    }

    static func parseCustomBackends(_ json: JSON?) -> [String: CustomBackend] {
        (json?.members ?? [:]).mapValues {
            CustomBackend(baseURL: $0["base"]?.string, settings: $0["settings"]?.texts ?? [:])
        }
    }
}

extension JSON {
    /// An object with the members in alphabetical order.
    init(_ members: [String: JSON]) {
        self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
    }

    /// Seconds since 1970, or null.
    static func epochSeconds(_ date: Date?) -> JSON {
        date.map { .double($0.timeIntervalSince1970) } ?? .null
    }

    /// An object's members; empty for another value.
    var members: [String: JSON] {
        guard case .object(let members) = self else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }
}

/// An item of a device's storage, with its unmasked value.
struct StorageItem: Sendable, Equatable {
    var area: StorageKey.Area
    var key: String
    /// The text of a string; the JSON text of anything else.
    var value: String
    /// Whether `value` is JSON text, so that a number stays one.
    var isJSON: Bool
    var writtenAt: Date

    /// The value as it was captured.
    var json: JSON {
        guard isJSON else { return .string(value) }
        return (try? JSON(parsing: value)) ?? .string(value)
    }
}

extension StorageItem {
    init(_ declared: StorageKey, _ json: JSON, at writtenAt: Date) {
        if declared.isSecondsFromNow, let seconds = json.scalarText.flatMap(Double.init),
            seconds.isFinite
        {
            value = writtenAt.addingTimeInterval(seconds).iso8601
            isJSON = false
        } else if let text = json.string {
            value = text
            isJSON = false
        } else {
            value = json.description
            isJSON = true
        }
        area = declared.area
        key = declared.key
        self.writtenAt = writtenAt
    }
}
