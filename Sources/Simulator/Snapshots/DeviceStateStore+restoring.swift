import Apps
import Core
import SQLite

extension DeviceStateStore {
    /// Performs `work` while nothing changes these app instances.
    func withLock<Result: Sendable>(on instances: [AppInstance], _ work: () async throws -> Result)
        async rethrows -> Result
    {
        // Always locks in the same order, to avoid deadlocks.
        let instances = instances.sorted { ($0.device, $0.app) < ($1.device, $1.app) }
        for instance in instances { await instanceLock.lock(instance) }
        defer { for instance in instances { instanceLock.unlock(instance) } }
        return try await work()
    }

    /// Restores instances of one device in one transaction, which also ends the restore of
    /// `snapshotID`. The caller holds `withLock(on:)`.
    ///
    /// Every app gets a new launch: its running actions are dropped. `draft` is published first: it
    /// is the cause of the changes' events.
    func restore(
        _ snapshots: [AppStateSnapshot], publishing draft: EventDraft? = nil, cause: Int64? = nil,
        ending snapshotID: String? = nil
    ) async throws {
        var changes: [PreparedChange] = []
        for target in snapshots {
            changes.append(
                try await prepareChange(target.instance, target.app) { old, new in
                    new = target.persisted
                    new.rowID = old.rowID
                    return SessionChange(
                        restoring: target.persisted.session, from: old, to: &new, app: target.app,
                        at: now(in: target.instance))
                })
        }
        let restored = Dictionary(
            snapshots.map { ($0.instance, (launchID: makeLaunchID(), json: $0.transientJSON)) },
            uniquingKeysWith: { $1 })
        changes = try await commit(
            changes, writingFirst: { if let snapshotID { try RestoreTable.end(snapshotID, $0) } }
        ) { instance, transient in
            guard let (launchID, json) = restored[instance] else { return }
            transient = TransientAppState(launchID: launchID)
            if let json { transient.restore(from: json) }
        }
        for change in changes { sessionChecks.enqueue(change.diff.instance) }
        let event = draft.map { hub.publish($0).id }
        for change in changes { publish(change, restoredBy: event, cause: event ?? cause) }
    }
}
