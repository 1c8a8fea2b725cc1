import Apps
import Core
import SQLite
import Synchronization
import Web

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
        var prepared: [PreparedRestore] = []
        for target in snapshots {
            let (device, old, version) = try await loadLocked(target.instance, target.app)
            var new = target.persisted
            new.rowID = old.rowID
            let sessionChange = SessionChange(
                restoring: target.persisted.session, from: old, to: &new, app: target.app,
                at: now(in: target.instance))
            do {
                let diff = try StateDiff(
                    target.instance, from: old, to: new, sessionChange: sessionChange,
                    isRestore: true, sealer: sealer)
                prepared.append(
                    PreparedRestore(
                        snapshot: target, deviceLabel: device.label, old: old, new: new, diff: diff,
                        workspaceVersion: version))
            } catch { throw Problem(error) }
        }
        let device = snapshots.first?.instance.device
        let diffs = prepared.map { ($0.diff, $0.deviceLabel) }
        let now = world.now()
        let rows = try await database.writeThrowingProblems(of: device) { connection in
            if let snapshotID { try RestoreTable.end(snapshotID, connection) }
            return try diffs.map { diff, label in try diff.write(label: label, at: now, connection)
            }
        }
        sessionIndex.scheduleUpdate()
        for (index, row) in rows.enumerated() {
            // An unchanged instance keeps its row.
            if row > 0 { prepared[index].new.rowID = row }
        }
        let restored = prepared
        memory.withLock { memory in
            for item in restored {
                let instance = item.snapshot.instance
                guard memory.workspaceVersion(of: instance.workspace) == item.workspaceVersion
                else { continue }
                memory.persisted.set(instance, item.new)
                var transient = memory.makeTransientState()
                if let json = item.snapshot.transientJSON { transient.restore(from: json) }
                memory.setTransient(instance, transient)
            }
        }
        for item in restored { sessionChecks.enqueue(item.snapshot.instance) }
        let event = draft.map { hub.publish($0).id }
        for item in restored { publishRestore(item, restoredBy: event, cause: event ?? cause) }
    }

    private struct PreparedRestore: Sendable {
        let snapshot: AppStateSnapshot
        let deviceLabel: String
        let old: PersistedAppState
        var new: PersistedAppState
        let diff: StateDiff
        let workspaceVersion: Int
    }

    private func publishRestore(
        _ restored: PreparedRestore, restoredBy event: Int64?, cause: Int64?
    ) {
        var events = hub.publishDiff(
            restored.diff, from: restored.old, to: restored.new, app: restored.snapshot.app,
            cause: cause)
        // The restored state applies from the restore's own event on.
        events.firstEvent = event ?? events.firstEvent
        events.lastEvent = events.lastEvent ?? event
        if let event = events.screenEvent {
            updateTransient(restored.snapshot.instance) { $0.screenEvent = event }
        }
        recordHistory(restored.snapshot.instance, restored.snapshot.app, restored.new, events)
    }
}
