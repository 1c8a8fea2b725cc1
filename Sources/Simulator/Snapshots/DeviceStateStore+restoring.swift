import Apps
import Core
import SQLite
import Synchronization
import Web

extension DeviceStateStore {
    /// Does `work` while nothing of these apps on devices changes.
    func withLock<Result: Sendable>(on instances: [AppInstance], _ work: () async throws -> Result)
        async rethrows -> Result
    {
        // Always in the same order, so that two never wait for each other.
        let instances = instances.sorted { ($0.device, $0.app) < ($1.device, $1.app) }
        for instance in instances { await instanceLock.lock(instance) }
        defer { for instance in instances { instanceLock.unlock(instance) } }
        return try await work()
    }

    /// Puts places of one device back, all in one write, and with it ends the
    /// restore of `snapshot`. Within `still`.
    ///
    /// Every app begins a new life: what was under way comes to nothing.
    /// `draft` is told first: what changes is an effect of it, not of what
    /// led to the same changes once.
    func restore(
        _ all: [AppStateSnapshot], publishing draft: EventDraft? = nil, cause: Int64? = nil,
        ending snapshot: String? = nil
    ) async throws {
        var made: [PreparedRestore] = []
        for one in all {
            let (device, old, resets) = try await loadLocked(one.instance, one.app)
            var new = one.persisted
            new.rowID = old.rowID
            let sessions = SessionChange(
                restoring: one.persisted.session, from: old, to: &new, app: one.app,
                at: now(in: one.instance))
            do {
                let change = try StateDiff(
                    one.instance, from: old, to: new, sessionChange: sessions, isRestore: true,
                    sealer: sealer)
                made.append(
                    PreparedRestore(
                        snapshot: one, deviceLabel: device.label, old: old, new: new, diff: change,
                        workspaceVersion: resets))
            } catch { throw Problem(error) }
        }
        let device = all.first?.instance.device
        let changes = made.map { ($0.diff, $0.deviceLabel) }
        let now = world.now()
        let rows = try await database.writeThrowingProblems(of: device) { connection in
            if let snapshot { try RestoreTable.end(snapshot, connection) }
            return try changes.map { change, label in
                try change.write(label: label, at: now, connection)
            }
        }
        sessionIndex.scheduleUpdate()
        for (index, row) in rows.enumerated() {
            // What did not change has the row it had.
            if row > 0 { made[index].new.rowID = row }
        }
        let restored = made
        memory.withLock { memory in
            for one in restored {
                let instance = one.snapshot.instance
                guard memory.workspaceVersion(of: instance.workspace) == one.workspaceVersion else {
                    continue
                }
                memory.persisted.set(instance, one.new)
                var transient = memory.makeTransientState()
                if let json = one.snapshot.transientJSON { transient.restore(from: json) }
                memory.setTransient(instance, transient)
            }
        }
        for one in restored { sessionChecks.enqueue(one.snapshot.instance) }
        let event = draft.map { hub.publish($0).id }
        for one in restored { publishRestore(one, restoredBy: event, cause: event ?? cause) }
    }

    private struct PreparedRestore: Sendable {
        let snapshot: AppStateSnapshot
        let deviceLabel: String
        let old: PersistedAppState
        var new: PersistedAppState
        let diff: StateDiff
        let workspaceVersion: Int
    }

    private func publishRestore(_ made: PreparedRestore, restoredBy event: Int64?, cause: Int64?) {
        var told = hub.publishDiff(
            made.diff, from: made.old, to: made.new, app: made.snapshot.app, cause: cause)
        // As of the telling itself it is so already.
        told.firstEvent = event ?? told.firstEvent
        told.lastEvent = told.lastEvent ?? event
        if let event = told.screenEvent {
            updateTransient(made.snapshot.instance) { $0.screenEvent = event }
        }
        recordHistory(made.snapshot.instance, made.snapshot.app, made.new, told)
    }

    /// Keeps how a place is after what was told of it, to be put back.
    func recordHistory(
        _ instance: AppInstance, _ app: App, _ persisted: PersistedAppState,
        _ told: EventHub.PublishedEvents
    ) {
        guard let first = told.firstEvent, let last = told.lastEvent, let row = persisted.rowID
        else { return }
        let transient = memory.withLock { $0.transientState(of: instance) }
        stateHistory.record(
            StateHistory.Entry(
                instance: instance, instanceRowID: row, firstEvent: first, lastEvent: last,
                app: app, persisted: persisted, transient: transient
            ))
    }
}
