import Apps
import Crypto
import FoundationEssentials
import SQLite
import Web

/// A change of an app instance's persisted state, with the rows to write.
struct StateChange: Sendable {
    let instance: AppInstance
    let app: App
    let deviceLabel: String
    /// The workspace's version before the state was read.
    let workspaceVersion: Int
    let old: PersistedAppState
    var new: PersistedAppState
    let sessionChange: SessionChange
    let writtenItems: [StorageItem]
    let deletedItems: [StorageItem]
    /// The instance's columns; nil if only items or sessions changed.
    private let columns: Columns?
    /// Items to write, secrets sealed.
    private let sealedItems: [StorageItem]
    /// Retired tokens, sealed.
    private let sealedTokens: [StoredToken]
    /// Transitions made by the change; a restore makes none.
    private let transitions: [Transition]

    init(
        _ instance: AppInstance, _ app: App, deviceLabel: String, workspaceVersion: Int,
        from old: PersistedAppState, to new: PersistedAppState, sessionChange: SessionChange,
        sealer: Sealer
    ) throws(Problem) {
        self.instance = instance
        self.app = app
        self.deviceLabel = deviceLabel
        self.workspaceVersion = workspaceVersion
        self.old = old
        self.new = new
        self.new.newTransitions = []
        transitions = new.newTransitions
        self.sessionChange = sessionChange
        writtenItems = new.items.values.filter { old.items[$0.key] != $0 }.sorted {
            $0.key < $1.key
        }
        deletedItems = (Array(old.items.values) + old.unreadableItems.values).filter {
            new.items[$0.key] == nil && new.unreadableItems[$0.key] == nil
        }.sorted { $0.key < $1.key }
        var items = writtenItems
        for index in items.indices where items[index].area == .keychain {
            items[index].value = try sealer.sealThrowingProblems(items[index].value)
        }
        sealedItems = items
        var tokens = sessionChange.retiredTokens
        for index in tokens.indices {
            tokens[index].value = try sealer.sealThrowingProblems(tokens[index].value)
        }
        sealedTokens = tokens
        var rowState = new
        (rowState.items, rowState.unreadableItems) = (old.items, old.unreadableItems)
        rowState.session = old.session
        columns = old.rowID != nil && rowState == old ? nil : try new.columns(sealer)
    }

    /// Whether there is nothing to write.
    var isEmpty: Bool { columns == nil && !affectsSession }

    /// Whether the change may affect the session's comparison.
    var affectsSession: Bool {
        !writtenItems.isEmpty || !deletedItems.isEmpty || !sessionChange.updatedSessions.isEmpty
    }

    /// Writes all rows; `now` is the system time. Returns the instance's row id.
    func write(at now: Date, _ connection: Connection) throws -> Int64 {
        var id = old.rowID ?? 0
        if let columns {
            if let rowID = old.rowID {
                let exists = try connection.update(
                    "places", columns, where: "id", is: .integer(rowID))
                guard exists else { throw RowDeleted() }
            } else {
                let key: Columns = [
                    ("device", .text(instance.device)), ("app", .text(instance.app)),
                ]
                try connection.insert(columns + key, into: "places")
                id = connection.lastInsertedID
            }
        }
        for item in deletedItems {
            try connection.run(
                "DELETE FROM items WHERE place = ? AND key = ?", [.integer(id), .text(item.key)])
        }
        for item in sealedItems {
            try connection.run(
                """
                INSERT INTO items (place, key, area, value, is_json, written_at) VALUES (?, ?, ?, ?, \
                ?, ?) ON CONFLICT (place, key) DO UPDATE SET area = excluded.area, value = \
                excluded.value, is_json = excluded.is_json, written_at = excluded.written_at
                """,
                [
                    .integer(id), .text(item.key), .text(item.area.rawValue), .text(item.value),
                    .bool(item.isJSON), .date(item.writtenAt),
                ])
        }
        for session in sessionChange.updatedSessions {
            try SessionTable.write(session, label: deviceLabel, connection)
        }
        for (session, entry) in sessionChange.historyEntries {
            try SessionTable.addHistoryEntry(entry, to: session, connection)
        }
        for token in sealedTokens { try ArchivedTokenTable.add(token, connection) }
        try TransitionTable.add(transitions, in: instance, at: now, connection)
        return id
    }
}
