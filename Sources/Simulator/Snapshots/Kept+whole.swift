import Apps
import FoundationEssentials
import Web

/// All that is kept as one JSON value, to be sealed and put back.
extension Kept {
    var whole: JSON {
        [
            "screen": .string(screen), "since": .seconds(since),
            "backend": JSON(backend), "own": ownJSON,
            "visits": .array(
                visits.map { [.string($0.screen), JSON($0.count)] }),
            "paths": .array(
                paths.map {
                    [.string($0.from), .string($0.to), JSON($0.count)]
                }),
            "lastPath": lastPath.map { JSON($0) } ?? .null,
            "items": .array(
                items.values.sorted { $0.key < $1.key }.map { item in
                    [
                        "area": .string(item.area.rawValue),
                        "key": .string(item.key),
                        "value": .string(item.value),
                        "isJSON": .bool(item.isJSON),
                        "writtenAt": .seconds(item.writtenAt),
                    ]
                }), "session": session?.kept ?? .null, "generation": JSON(generation),
        ]
    }

    /// Nil for what is no such value. Has no row yet.
    init?(whole json: JSON, of place: Place) {
        guard let screen = json["screen"]?.string, let since = json["since"]?.date else {
            return nil
        }
        self.init(row: 0, screen: screen, since: since)
        row = nil
        backend = json["backend"]?.string
        own = Self.own(json["own"]?.description ?? "")
        visits = Self.elements(json["visits"]).map {
            Situation.Visit(screen: $0[0]?.string ?? "", count: Int($0[1]?.int ?? 0))
        }
        paths = Self.elements(json["paths"]).map {
            Transition(
                from: $0[0]?.string ?? "", to: $0[1]?.string ?? "", count: Int($0[2]?.int ?? 0))
        }
        lastPath = json["lastPath"]?.int.map { Int($0) }
        if !paths.indices.contains(lastPath ?? -1) { lastPath = nil }
        for item in Self.elements(json["items"]) {
            guard let key = item["key"]?.string, let value = item["value"]?.string else { continue }
            items[key] = Item(
                area: item["area"]?.string.flatMap(StorageKey.Area.init) ?? .keychain, key: key,
                value: value, isJSON: item["isJSON"]?.bool ?? false,
                writtenAt: item["writtenAt"]?.date ?? since)
        }
        session = json["session"].flatMap { Session(kept: $0, of: place) }
        generation = Int(json["generation"]?.int ?? 0)
    }

    private static func elements(_ json: JSON?) -> [JSON] {
        if case .array(let elements)? = json { elements } else { [] }
    }
}
