import Apps
import Crypto
import FoundationEssentials
import SQLite
import Web

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
        for var item in try StorageItemTable.items(of: id, connection) {
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
}

/// The parts that rows and snapshots store as the same JSON.
extension PersistedAppState {
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
            CustomBackend(
                baseURL: $0["base"]?.string, settings: $0["settings"]?.texts ?? [:])
        }
    }
}

extension JSON {
    /// An object with the members in alphabetical order.
    init(_ members: [String: JSON]) {
        self = .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
    }

    /// An array's elements; empty for another value.
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

    /// An object's members; empty for another value.
    var members: [String: JSON] {
        guard case .object(let members) = self else { return [:] }
        return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
    }
}
