package import Apps
import Core
import Crypto
package import FoundationEssentials
import SQLite
package import Web

extension Simulator {
    /// In bytes.
    private static let maxValueLength = 64 << 10

    /// The stored items, in the manifest's order; keys that the manifest no longer declares are
    /// last.
    package func storageItems(_ instance: AppInstance) async throws -> [StorageItemSummary] {
        let app = try app(instance)
        let (_, persisted, transient) = try await stateStore.state(
            instance, app, allowsUnreadable: true)
        let lockedKeys = persisted.lockedKeys(of: app, transient)
        let all = persisted.items.merging(persisted.unreadableItems) { $1 }
        let declared = app.storage.map(\.key)
        let undeclared = all.keys.filter { !declared.contains($0) }.sorted()
        return (declared + undeclared).compactMap { all[$0] }.map { item in
            let key = app.storage.first { $0.key == item.key }
            let isReadable = persisted.unreadableItems[item.key] == nil
            let value = item.area == .keychain ? Self.maskedValue(item, key) : item.value
            return StorageItemSummary(
                area: item.area, key: item.key, captureName: key?.capturedName,
                maskedValue: isReadable ? value : "unreadable",
                byteCount: isReadable ? item.value.utf8.count : 0, writtenAt: item.writtenAt,
                accessibilityClass: key?.accessibility,
                isLocked: key?.requiresBiometrics == true || lockedKeys.contains(item.key))
        }
    }

    /// A value from fields is masked entirely: its end may be a password's.
    private static func maskedValue(_ item: StorageItem, _ key: StorageKey?) -> String {
        key?.fields.isEmpty ?? true ? Token.masked(item.value) : "…"
    }

    /// The unmasked value; publishes `storage.revealed`.
    package func reveal(_ instance: AppInstance, key: String) async throws -> String {
        let (app, persisted) = try await persistedState(instance)
        guard let item = persisted.items[key] else {
            guard persisted.unreadableItems[key] == nil else {
                throw Problem.storageUnreadable([key], instance, app)
            }
            throw Self.itemNotFound(key, app)
        }
        hub.publish(
            instance, .storageRevealed, "\(key) revealed", subject: key,
            details: ["area": item.area.rawValue])
        return item.value
    }

    /// Writes a user's value under a key that the manifest declares or that is stored already.
    package func writeItem(_ instance: AppInstance, key: String, value: String) async throws {
        let app = try app(instance)
        guard value.utf8.count <= Self.maxValueLength else {
            throw Problem(
                status: 413, code: "value-too-large", title: "The value is too large",
                detail: "The limit is 65,536 bytes; this value has \(value.utf8.count).",
                errors: [.init(pointer: "/value", detail: "is too long")])
        }
        try await stateStore.update(instance, app, allowsUnreadable: true) { persisted, _, now in
            let declared = app.storage.first { $0.key == key }
            let stored = persisted.items[key] ?? persisted.unreadableItems[key]
            guard let area = declared?.area ?? stored?.area else {
                throw Problem.unknownKey(key, available: app.storage.map(\.key))
            }
            persisted.unreadableItems[key] = nil
            persisted.items[key] = StorageItem(
                area: area, key: key, value: value, isJSON: false, writtenAt: now)
        }
    }

    /// Deletes an item.
    package func deleteItem(_ instance: AppInstance, key: String) async throws {
        let app = try app(instance)
        try await stateStore.update(instance, app, allowsUnreadable: true) { persisted, _, _ in
            guard
                persisted.items.removeValue(forKey: key) != nil
                    || persisted.unreadableItems.removeValue(forKey: key) != nil
            else { throw Self.itemNotFound(key, app) }
        }
    }

    /// Deletes every item, and all unreadable values.
    package func clearStorage(_ instance: AppInstance) async throws {
        try await stateStore.update(instance, try app(instance), allowsUnreadable: true) {
            persisted, _, _ in
            persisted.items = [:]
            persisted.unreadableItems = [:]
            persisted.unreadableCustomBackends = nil
        }
    }

    /// Copies the app's stored values and selected backend to another device, and restarts the app
    /// there: both devices then have the same tokens.
    ///
    /// All values are copied, also those that a backup of a real device does not contain.
    package func copyAppData(from source: AppInstance, to target: AppInstance) async throws {
        let (app, stored) = try await persistedState(source)
        try stored.checkReadable(source, app)
        guard !stored.items.isEmpty else {
            throw Problem(
                status: 409, code: "nothing-stored", title: "No stored data to copy",
                detail: "The app stores nothing on the device to copy from. Sign in there first.")
        }
        // Ends the target's session; the copied tokens begin another.
        try await clearStorage(target)
        try await stateStore.update(target, app) { persisted, _, now in
            persisted.items = stored.items.mapValues { item in
                var item = item
                item.writtenAt = now
                return item
            }
            persisted.backend = stored.backend
            persisted.customBackends = stored.customBackends
        }
        try await relaunch(target, isKill: true)
    }

    /// The unmasked value without an event, for verification and masking only; nil for an
    /// unreadable one if `allowsUnreadable`.
    package func storedValue(
        _ instance: AppInstance, holding name: String, allowsUnreadable: Bool = false
    ) async throws -> String? {
        let (app, persisted) = try await persistedState(instance)
        if !allowsUnreadable, let key = app.storageKey(holding: name)?.key,
            persisted.unreadableItems[key] != nil
        {
            throw Problem.storageUnreadable([key], instance, app)
        }
        return persisted.item(holding: name, in: app)?.value
    }

    /// The stored values of an app by captured name, without tokens and form fields.
    package func storedValues(_ instance: AppInstance) async throws -> [String: JSON] {
        let (app, persisted) = try await persistedState(instance)
        var values: [String: JSON] = [:]
        for key in app.storage where key.fields.isEmpty {
            guard let name = key.capturedName, !app.isToken(name),
                let item = persisted.items[key.key]
            else { continue }
            values[name] = item.json
        }
        return values
    }

    /// Whether an item is stored under the name, readable or not.
    package func hasItem(_ instance: AppInstance, _ name: String) async throws -> Bool {
        let (app, persisted) = try await persistedState(instance)
        guard let key = app.storageKey(holding: name)?.key else { return false }
        return persisted.items[key] != nil || persisted.unreadableItems[key] != nil
    }

    /// The stored access tokens of these sessions, by session id, in one read; for verification
    /// only.
    package func accessTokens(of sessions: [Session]) async throws -> [String: String] {
        let lookups = sessions.filter { $0.endedAt == nil }.compactMap {
            session -> (String, AppInstance, String)? in
            let key = catalog.app(session.app)?.storageKey(holding: App.accessTokenName)?.key
            return key.map { (session.id, session.instance, $0) }
        }
        let rows = try await database.readThrowingProblems { connection in
            try lookups.compactMap { id, instance, key in
                try connection.row(
                    """
                    SELECT i.area, i.value FROM places p JOIN items i \
                    ON i.place = p.id WHERE p.device = ? AND p.app = ? AND i.key = ?
                    """, [.text(instance.device), .text(instance.app), .text(key)]
                ) { (id, StorageKey.Area(rawValue: $0.text(0)) ?? .keychain, $0.text(1)) }
            }
        }
        var tokens: [String: String] = [:]
        for (id, area, value) in rows {
            tokens[id] =
                area == .keychain
                ? stateStore.unsealIfPossible(value, "the access token of \(id)") : value
        }
        return tokens
    }

    /// Replaces the stored access token with an expired one.
    package func replaceAccessToken(_ instance: AppInstance, with token: String, reason: String)
        async throws
    {
        let app = try app(instance)
        try await stateStore.update(instance, app, reason: .tokenExpiredManually(reason: reason)) {
            persisted, _, now in
            guard let key = app.storageKey(holding: App.accessTokenName),
                persisted.items[key.key] != nil
            else {
                throw Problem(
                    status: 409, code: "missing-token", title: "No access token to replace",
                    detail: "Sign in first.")
            }
            persisted.items[key.key] = StorageItem(key, .string(token), at: now)
        }
    }

    /// The app and its stored state, readable or not.
    func persistedState(_ instance: AppInstance) async throws -> (App, PersistedAppState) {
        let app = try app(instance)
        return (app, try await stateStore.state(instance, app, allowsUnreadable: true).persisted)
    }

    private static func itemNotFound(_ key: String, _ app: App) -> Problem {
        app.storage.contains { $0.key == key }
            ? Problem(
                status: 404, code: "nothing-stored", title: "No stored value",
                detail: "The app stores nothing under \(key.prefix(80)) now.")
            : Problem.unknownKey(key, available: app.storage.map(\.key))
    }
}

/// An item of a device's storage, without its unmasked value.
package struct StorageItemSummary: Sendable, Equatable {
    package var area: StorageKey.Area
    package var key: String
    /// The captured value it stores; nil for a constant or an undeclared key.
    package var captureName: String?
    /// First 6 and last 4 characters of a secret, none of a field's value; a `defaults` value is
    /// unmasked.
    package var maskedValue: String
    /// UTF-8 length of the unmasked value.
    package var byteCount: Int
    package var writtenAt: Date
    package var accessibilityClass: String?
    /// Whether the app can read it only after the device's sensor matched.
    package var isLocked: Bool
}
