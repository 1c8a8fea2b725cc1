import Apps
import SQLite
import Secrets
import Surroundings
import Web

extension Simulator {
    /// A value written by hand may be this long, in bytes.
    private static let longestValue = 64 << 10

    /// What is stored, in the manifest's order, strangers last: keys of an
    /// older manifest that the new one no longer declares.
    package func items(_ place: Place) async throws -> [StoredItem] {
        let app = try app(place)
        let kept = try await cupboard.look(place, app, damaged: true).kept
        let all = kept.items.merging(kept.unreadable) { $1 }
        let declared = app.storage.compactMap { all[$0.key] }
        let strangers = all.values.filter { item in !app.storage.contains { $0.key == item.key } }
            .sorted { $0.key < $1.key }
        return (declared + strangers).map { item in
            let key = app.storage.first { $0.key == item.key }
            guard kept.unreadable[item.key] == nil else {
                return StoredItem(
                    area: item.area, key: item.key, holds: key?.holds, masked: "cannot be read",
                    bytes: 0, writtenAt: item.writtenAt, accessible: key?.accessible)
            }
            return StoredItem(
                area: item.area, key: item.key, holds: key?.holds,
                masked: item.area == .keychain ? Self.masked(item, key) : item.value,
                bytes: item.value.utf8.count, writtenAt: item.writtenAt, accessible: key?.accessible
            )
        }
    }

    /// Of what somebody typed no end is shown: it may be a password's.
    private static func masked(_ item: Item, _ key: StorageKey?) -> String {
        key?.fields.isEmpty ?? true ? Token.masked(item.value) : "…"
    }

    /// The whole value; publishes `storage.revealed`.
    package func reveal(_ place: Place, key: String) async throws -> String {
        let app = try app(place)
        let kept = try await cupboard.look(place, app, damaged: true).kept
        guard let item = kept.items[key] else {
            guard kept.unreadable[key] == nil else { throw Problem.unreadable([key], place, app) }
            throw Self.missing(key, app)
        }
        runner.tell(
            place, .revealed, "\(key) was shown whole", subject: key,
            facts: ["area": item.area.rawValue])
        return item.value
    }

    /// Writes a value by hand, under a key the manifest declares or one that
    /// is stored already.
    package func write(_ place: Place, key: String, value: String) async throws {
        let app = try app(place)
        guard value.utf8.count <= Self.longestValue else {
            throw Problem(
                status: 413, code: "value-too-large", title: "The value is too large",
                detail: "A value may have 65,536 bytes; this has \(value.utf8.count).",
                errors: [.init(pointer: "/value", detail: "has too many bytes")])
        }
        let now = cupboard.now(in: place)
        try await cupboard.change(place, app, damaged: true) { kept, _ in
            let declared = app.storage.first { $0.key == key }
            let stored = kept.items[key] ?? kept.unreadable[key]
            guard let area = declared?.area ?? stored?.area else {
                throw Problem.unknownKey(key, known: app.storage.map(\.key))
            }
            kept.unreadable[key] = nil
            kept.items[key] = Item(
                area: area, key: key, value: value, isJSON: false, writtenAt: now)
        }
    }

    /// Deletes an item.
    package func forget(_ place: Place, key: String) async throws {
        let app = try app(place)
        try await cupboard.change(place, app, damaged: true) { kept, _ in
            guard
                kept.items.removeValue(forKey: key) != nil
                    || kept.unreadable.removeValue(forKey: key) != nil
            else { throw Self.missing(key, app) }
        }
    }

    /// Deletes every item, and whatever cannot be read.
    package func forgetAll(_ place: Place) async throws {
        try await cupboard.change(place, try app(place), damaged: true) { kept, _ in
            kept.items = [:]
            kept.unreadable = [:]
            kept.unreadableOwn = nil
        }
    }

    /// The whole value without an event, for judging and masking only.
    package func peek(_ place: Place, holding name: String) async throws -> String? {
        let app = try app(place)
        let kept = try await cupboard.look(place, app, damaged: true).kept
        if let key = app.storageKey(holding: name)?.key, kept.unreadable[key] != nil {
            throw Problem.unreadable([key], place, app)
        }
        return kept.item(holding: name, in: app)?.value
    }

    /// The same where one that cannot be read is left out.
    package func readable(_ place: Place, holding name: String) async throws -> String? {
        let app = try app(place)
        return try await cupboard.look(place, app, damaged: true).kept.item(holding: name, in: app)?
            .value
    }

    /// Whether something is stored under the name, readable or not.
    package func holds(_ place: Place, _ name: String) async throws -> Bool {
        let app = try app(place)
        let kept = try await cupboard.look(place, app, damaged: true).kept
        guard let key = app.storageKey(holding: name)?.key else { return false }
        return kept.items[key] != nil || kept.unreadable[key] != nil
    }

    /// The access tokens still stored of these sessions, by session id, in
    /// one read; for judging only.
    package func accessTokens(of sessions: [Session]) async throws -> [String: String] {
        let asked = sessions.filter { $0.endedAt == nil }.compactMap {
            session -> (String, Place, String)? in
            let place = Place(
                workspace: session.workspace, device: session.device, app: session.app)
            let key = catalogue.app(session.app)?.storageKey(holding: App.accessToken)?.key
            return key.map { (session.id, place, $0) }
        }
        let found = try await database.reading { connection in
            try asked.compactMap { id, place, key in
                try ItemTable.value(key, of: place, connection).map { (id, $0.area, $0.value) }
            }
        }
        var tokens: [String: String] = [:]
        for (id, area, value) in found {
            tokens[id] =
                area == .keychain ? cupboard.opened(value, "the access token of \(id)") : value
        }
        return tokens
    }

    /// Puts another access token in place of the stored one, which was ended
    /// by hand.
    package func replaceAccessToken(_ place: Place, with token: String, because: String)
        async throws
    {
        let app = try app(place)
        let now = cupboard.now(in: place)
        try await cupboard.change(place, app, because: .expired(because: because)) { kept, _ in
            guard let key = app.storageKey(holding: App.accessToken), kept.items[key.key] != nil
            else {
                throw Problem(
                    status: 409, code: "missing-token",
                    title: "There is no access token to replace",
                    detail: "The device keeps none. Sign in first.")
            }
            kept.items[key.key] = Item(key, .string(token), at: now)
        }
    }

    private static func missing(_ key: String, _ app: App) -> Problem {
        app.storage.contains { $0.key == key }
            ? Problem.nothingStored(key) : Problem.unknownKey(key, known: app.storage.map(\.key))
    }
}
