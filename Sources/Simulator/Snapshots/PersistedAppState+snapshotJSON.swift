import Apps
import FoundationEssentials
import Web

/// The persisted state as one JSON value for snapshots.
extension PersistedAppState {
    var snapshotJSON: JSON {
        [
            "screen": .string(screen), "since": .epochSeconds(screenSince),
            "backend": JSON(backend), "own": customBackendsJSON,
            "visits": .array(
                visits.map { [.string($0.screen), JSON($0.count)] }),
            "paths": .array(
                transitions.map {
                    [.string($0.from), .string($0.to), JSON($0.count)]
                }),
            "lastPath": lastTransitionIndex.map { JSON($0) } ?? .null,
            "items": .array(
                items.values.sorted { $0.key < $1.key }.map { item in
                    [
                        "area": .string(item.area.rawValue),
                        "key": .string(item.key),
                        "value": .string(item.value),
                        "isJSON": .bool(item.isJSON),
                        "writtenAt": .epochSeconds(item.writtenAt),
                    ]
                }), "session": session?.snapshotJSON ?? .null,
            "generation": JSON(accessTokenGeneration),
        ]
    }

    /// Nil for invalid JSON. The result has no row yet.
    init?(snapshotJSON json: JSON, of instance: AppInstance) {
        guard let screen = json["screen"]?.string, let since = json["since"]?.dateFromSeconds else {
            return nil
        }
        self.init(rowID: 0, screen: screen, screenSince: since)
        rowID = nil
        backend = json["backend"]?.string
        customBackends = Self.parseCustomBackends(json["own"]?.description ?? "")
        visits = Self.arrayElements(json["visits"]).map {
            AppStatus.VisitCount(screen: $0[0]?.string ?? "", count: Int($0[1]?.int ?? 0))
        }
        transitions = Self.arrayElements(json["paths"]).map {
            Transition(
                from: $0[0]?.string ?? "", to: $0[1]?.string ?? "", count: Int($0[2]?.int ?? 0))
        }
        lastTransitionIndex = json["lastPath"]?.int.map { Int($0) }
        if !transitions.indices.contains(lastTransitionIndex ?? -1) { lastTransitionIndex = nil }
        for item in Self.arrayElements(json["items"]) {
            guard let key = item["key"]?.string, let value = item["value"]?.string else { continue }
            items[key] = StorageItem(
                area: item["area"]?.string.flatMap(StorageKey.Area.init) ?? .keychain, key: key,
                value: value, isJSON: item["isJSON"]?.bool ?? false,
                writtenAt: item["writtenAt"]?.dateFromSeconds ?? since)
        }
        session = json["session"].flatMap { Session(snapshotJSON: $0, of: instance) }
        accessTokenGeneration = Int(json["generation"]?.int ?? 0)
    }

    private static func arrayElements(_ json: JSON?) -> [JSON] {
        if case .array(let elements)? = json { elements } else { [] }
    }
}
