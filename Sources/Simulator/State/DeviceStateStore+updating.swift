import Apps
import Core
import FoundationEssentials
import SQLite
import Synchronization
import Web

extension DeviceStateStore {
    /// Changes the persisted state, given the transient state and the workspace's time.
    typealias ChangeBody = (inout PersistedAppState, TransientAppState, _ now: Date) throws -> Void

    /// Changes the persisted state and, after the commit, the transient state.
    ///
    /// With a `launchID`, throws `AppTerminated` if the app was killed since. Publishes the written
    /// changes with `cause`. Unreadable values make it throw a `Problem`, unless
    /// `allowsUnreadable`: only changes that replace or delete them use that.
    @discardableResult func update(
        _ instance: AppInstance, _ app: App, launchID: Int? = nil,
        reason: StorageChangeReason = .manual, cause: Int64? = nil, captured: [String: JSON] = [:],
        allowsUnreadable: Bool = false, _ body: ChangeBody,
        then: (inout TransientAppState) -> Void = { _ in }
    ) async throws -> PersistedAppState {
        await instanceLock.lock(instance)
        defer { instanceLock.unlock(instance) }
        let prepared = try await prepareChange(instance, app) { old, new in
            if !allowsUnreadable { try old.checkReadable(instance, app) }
            let transient = memory.withLock { $0.transientState(of: instance) }
            if let launchID, transient.launchID != launchID { throw AppTerminated() }
            let now = now(in: instance)
            try body(&new, transient, now)
            return SessionChange(
                from: old, to: &new, app: app, instance: instance,
                captured: transient.capturedValues.merging(captured) { $1 }, reason: reason,
                at: now, makeID: { world.makeID("ses") })
        }
        let committed = try await commit([prepared]) { _, transient in
            // The app knows what it wrote.
            if launchID != nil {
                transient.unlockedKeys.formUnion(prepared.writtenItems.map(\.key))
            }
            then(&transient)
        }
        for change in committed {
            publish(change, cause: cause)
            if change.affectsSession, change.new.session != nil { sessionChecks.enqueue(instance) }
        }
        return committed.first?.new ?? prepared.new
    }

    /// Removes a workspace from memory; its rows are deleted.
    func evict(workspace: String) {
        memory.withLock { memory in
            memory.recordReset(of: workspace)
            memory.devices.removeAll { $1.workspace == workspace }
            memory.persisted.removeAll { instance, _ in instance.workspace == workspace }
            memory.transient.removeAll { instance, _ in instance.workspace == workspace }
        }
    }

    /// Removes a device from memory.
    func evict(device: Device) {
        memory.withLock { memory in
            memory.recordReset(of: device.workspace)
            memory.devices.removeAll { id, _ in id == device.id }
            memory.persisted.removeAll { instance, _ in instance.device == device.id }
            memory.transient.removeAll { instance, _ in instance.device == device.id }
        }
    }

    // MARK: Steps of a change

    /// Makes a change on a copy of the state; the caller holds the instance lock.
    func prepareChange(
        _ instance: AppInstance, _ app: App,
        _ body: (PersistedAppState, inout PersistedAppState) throws -> SessionChange
    ) async throws -> StateChange {
        let (device, old, version) = try await loadLocked(instance, app)
        var new = old
        let sessionChange = try body(old, &new)
        return try StateChange(
            instance, app, deviceLabel: device.label, workspaceVersion: version, from: old, to: new,
            sessionChange: sessionChange, sealer: sealer)
    }

    /// Writes changes of one device, in one transaction with `writingFirst`; then they are visible,
    /// and `then` changes each transient state.
    func commit(
        _ changes: [StateChange], writingFirst: (@Sendable (Connection) throws -> Void)? = nil,
        then: (AppInstance, inout TransientAppState) -> Void
    ) async throws -> [StateChange] {
        var committed = changes
        if writingFirst != nil || changes.contains(where: { !$0.isEmpty }) {
            let systemTime = world.now()
            let rows = try await database.writeThrowingProblems(of: changes.first?.instance.device)
            { connection in
                try writingFirst?(connection)
                return try changes.map { try $0.write(at: systemTime, connection) }
            }
            // An instance that was never changed has no row.
            for (index, row) in rows.enumerated() where row > 0 { committed[index].new.rowID = row }
            sessionIndex.scheduleUpdate()
        }
        memory.withLock { memory in
            for change in committed {
                let instance = change.instance
                guard memory.workspaceVersion(of: instance.workspace) == change.workspaceVersion
                else { continue }
                memory.persisted.set(instance, change.new)
                var transient = memory.transientState(of: instance)
                transient.keepUnlocked(after: change)
                then(instance, &transient)
                memory.setTransient(instance, transient)
            }
        }
        return committed
    }

    /// Publishes the events of a committed change, and records the state after it for restores: for
    /// one by a restore, from its own event on.
    func publish(_ change: StateChange, restoredBy restoreEvent: Int64? = nil, cause: Int64?) {
        let instance = change.instance
        var events: [Int64] = restoreEvent.map { [$0] } ?? []
        func publishEvent(
            _ kind: Event.Kind, _ subject: String, _ title: String,
            _ details: [String: String] = [:]
        ) {
            events.append(
                hub.publish(instance, kind, title, subject: subject, cause: cause, details: details)
            )
        }
        for item in change.deletedItems {
            publishEvent(
                .storageDeleted, item.key, "\(item.key) deleted", ["area": item.area.rawValue])
        }
        for item in change.writtenItems {
            publishEvent(
                .storageWritten, item.key, "\(item.key) written",
                ["area": item.area.rawValue, "bytes": String(item.value.utf8.count)])
        }
        for (kind, session, title, details) in change.sessionChange.events {
            publishEvent(kind, session, title, details)
        }
        if change.old.visits != change.new.visits {
            let screen = change.new.screen
            publishEvent(.screenShown, screen, "\(screen) shown", ["from": change.old.screen])
            let event = events.last
            updateTransient(instance) { $0.screenEvent = event }
        }
        guard let first = events.first, let last = events.last else { return }
        let transient = memory.withLock { $0.transientState(of: instance) }
        recordState(
            StateRecord(change: change, firstEvent: first, lastEvent: last, transient: transient))
    }
}
