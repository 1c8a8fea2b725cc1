import Apps
import Crypto
import FoundationEssentials
import SQLite
import Web

/// The difference between two persisted states, as rows to write.
struct StateDiff: Sendable {
    let instance: AppInstance
    /// Nil if only items or sessions changed.
    private let instanceRow: AppInstanceTable.StoredRow?
    private let rowID: Int64?
    /// Items to write, secrets sealed.
    private let sealedItems: [StorageItem]
    let writtenItems: [StorageItem]
    let deletedItems: [StorageItem]
    let sessionChange: SessionChange
    /// Retired tokens, sealed.
    private let sealedRetiredTokens: [SealedTokenDraft]
    /// Whether a screen is shown, possibly the same one again.
    let isScreenShown: Bool
    /// Transitions made by the change; a restore makes none.
    private let transitions: [Transition]

    init(
        _ instance: AppInstance, from old: PersistedAppState, to new: PersistedAppState,
        sessionChange: SessionChange, isRestore: Bool = false, sealer: Sealer
    ) throws(CryptoError) {
        self.instance = instance
        transitions = isRestore ? [] : Transition.between(old, new)
        self.sessionChange = sessionChange
        rowID = old.rowID
        writtenItems = new.items.values.filter { old.items[$0.key] != $0 }.sorted {
            $0.key < $1.key
        }
        deletedItems = (Array(old.items.values) + old.unreadableItems.values).filter {
            new.items[$0.key] == nil && new.unreadableItems[$0.key] == nil
        }.sorted { $0.key < $1.key }
        var sealed: [StorageItem] = []
        for item in writtenItems {
            var item = item
            if item.area == .keychain { item.value = try sealer.seal(item.value) }
            sealed.append(item)
        }
        sealedItems = sealed
        var retired: [SealedTokenDraft] = []
        for draft in sessionChange.retiredTokens {
            retired.append(SealedTokenDraft(draft: draft, sealed: try sealer.seal(draft.value)))
        }
        self.sealedRetiredTokens = retired
        isScreenShown = old.visits != new.visits
        let isSame =
            old.rowID != nil && old.screen == new.screen && old.screenSince == new.screenSince
            && old.backend == new.backend && old.customBackends == new.customBackends
            && old.unreadableCustomBackends == new.unreadableCustomBackends
            && old.visits == new.visits && old.transitions == new.transitions
            && old.lastTransitionIndex == new.lastTransitionIndex
        instanceRow = isSame ? nil : try new.makeStoredRow(sealer)
    }

    /// Whether there is nothing to write.
    var isEmpty: Bool {
        instanceRow == nil && sealedItems.isEmpty && deletedItems.isEmpty
            && sessionChange.updatedSessions.isEmpty
    }

    /// Whether the change may affect the session's comparison.
    var affectsSession: Bool {
        !writtenItems.isEmpty || !deletedItems.isEmpty || !sessionChange.updatedSessions.isEmpty
    }

    /// Writes all rows; `now` is the system time. Returns the instance's row id.
    func write(label: String, at now: Date, _ connection: Connection) throws -> Int64 {
        var id = rowID ?? 0
        if let row = instanceRow { id = try AppInstanceTable.write(instance, row, connection) }
        for item in deletedItems { try StorageItemTable.delete(item.key, of: id, connection) }
        for item in sealedItems { try StorageItemTable.write(item, of: id, connection) }
        for (session, generation) in sessionChange.updatedSessions {
            try SessionTable.write(session, generation: generation, label: label, connection)
        }
        for (session, entry) in sessionChange.historyEntries {
            try SessionTable.addHistoryEntry(entry, to: session, connection)
        }
        for token in sealedRetiredTokens { try ArchivedTokenTable.add(token, connection) }
        try TransitionTable.add(transitions, in: instance, at: now, connection)
        return id
    }
}

extension Transition {
    /// The transitions made between two states of one app on one device.
    fileprivate static func between(_ old: PersistedAppState, _ new: PersistedAppState)
        -> [Transition]
    {
        guard old.visits != new.visits else { return [] }
        var result: [Transition] = []
        for transition in new.transitions {
            let before =
                old.transitions.first { $0.from == transition.from && $0.to == transition.to }?
                .count ?? 0
            if transition.count > before {
                result.append(
                    Transition(
                        from: transition.from, to: transition.to, count: transition.count - before))
            }
        }
        for visit in new.visits {
            let before = old.visits.first { $0.screen == visit.screen }?.count ?? 0
            let navigations = result.filter { $0.to == visit.screen }.reduce(0) { $0 + $1.count }
            let restarts = visit.count - before - navigations
            if restarts > 0 {
                result.append(Transition(from: "", to: visit.screen, count: restarts))
            }
        }
        return result
    }
}

extension PersistedAppState {
    /// The row for the database.
    fileprivate func makeStoredRow(_ sealer: Sealer) throws(CryptoError)
        -> AppInstanceTable.StoredRow
    {
        let sealedCustomBackends =
            customBackends.isEmpty ? "" : try sealer.seal(customBackendsJSON.description)
        return AppInstanceTable.StoredRow(
            id: rowID ?? 0, screen: screen, screenSince: screenSince, backend: backend,
            customBackends: unreadableCustomBackends ?? sealedCustomBackends,
            visits: visitsJSON.description, transitions: transitionsJSON.description,
            lastTransitionIndex: lastTransitionIndex.map(Int64.init), items: [])
    }

    /// Reads a row. Values that cannot be unsealed stay as stored and are logged.
    init(
        _ stored: AppInstanceTable.StoredRow, session: (session: Session, generation: Int)?,
        sealer: Sealer, log: (_ name: String, CryptoError) -> Void
    ) {
        self.init(rowID: stored.id, screen: stored.screen, screenSince: stored.screenSince)
        backend = stored.backend
        self.session = session?.session
        accessTokenGeneration = session?.generation ?? 0
        restoreScreens(
            visits: try? JSON(parsing: stored.visits),
            transitions: try? JSON(parsing: stored.transitions),
            lastTransitionIndex: stored.lastTransitionIndex)
        for var item in stored.items {
            do throws(CryptoError) {
                if item.area == .keychain { item.value = try sealer.open(item.value) }
                items[item.key] = item
            } catch {
                unreadableItems[item.key] = item
                log(item.key, error)
            }
        }
        guard !stored.customBackends.isEmpty else { return }
        do throws(CryptoError) {
            let text = try sealer.open(stored.customBackends)
            customBackends = Self.parseCustomBackends(try? JSON(parsing: text))
        } catch {
            unreadableCustomBackends = stored.customBackends
            log(Self.customBackendsTitle, error)
        }
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
