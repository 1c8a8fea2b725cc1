import Apps
import Crypto
import FoundationEssentials
import SQLite
import Web

/// The difference between two persisted states, as rows to write.
struct StateDiff: Sendable {
    let instance: AppInstance
    private let rowID: Int64?
    /// Nil if only items or sessions changed.
    private let columns: Columns?
    /// Items to write, secrets sealed.
    private let sealedItems: [StorageItem]
    let writtenItems: [StorageItem]
    let deletedItems: [StorageItem]
    let sessionChange: SessionChange
    /// Retired tokens, sealed.
    private let sealedTokens: [StoredToken]
    /// Whether a screen is shown, possibly the same one again.
    let isScreenShown: Bool
    /// Transitions made by the change; a restore makes none.
    private let transitions: [Transition]

    init(
        _ instance: AppInstance, from old: PersistedAppState, to new: PersistedAppState,
        sessionChange: SessionChange, sealer: Sealer
    ) throws(Problem) {
        self.instance = instance
        transitions = new.newTransitions
        self.sessionChange = sessionChange
        rowID = old.rowID
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
        isScreenShown = old.visits != new.visits
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
    func write(label: String, at now: Date, _ connection: Connection) throws -> Int64 {
        var id = rowID ?? 0
        if let columns {
            if let rowID {
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
            try SessionTable.write(session, label: label, connection)
        }
        for (session, entry) in sessionChange.historyEntries {
            try SessionTable.addHistoryEntry(entry, to: session, connection)
        }
        for token in sealedTokens { try ArchivedTokenTable.add(token, connection) }
        try TransitionTable.add(transitions, in: instance, at: now, connection)
        return id
    }
}
