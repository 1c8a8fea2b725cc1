import Apps
import Core
import FoundationEssentials
import SQLite
import Synchronization
import Web

extension DeviceStateStore {
    /// Changes the persisted state, given the transient state and the workspace's time.
    typealias Change = (inout PersistedAppState, TransientAppState, _ now: Date) throws -> Void

    /// Changes the persisted state and, after the commit, the transient state.
    ///
    /// With a `launchID`, throws `AppTerminated` if the app was killed since. Publishes the written
    /// changes with `cause`. Unreadable values make it throw a `Problem`, unless
    /// `allowsUnreadable`: only changes that replace or delete them use that.
    @discardableResult func update(
        _ instance: AppInstance, _ app: App, launchID: Int? = nil,
        reason: StorageChangeReason = .manual, cause: Int64? = nil, captured: [String: JSON] = [:],
        allowsUnreadable: Bool = false, _ body: Change,
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
        let committed = try await commit([prepared]) { then(&$1) }
        for change in committed {
            publish(change, cause: cause)
            if change.diff.affectsSession, change.new.session != nil {
                sessionChecks.enqueue(instance)
            }
        }
        return committed.first?.new ?? prepared.new
    }

    /// Updates a device in the same way.
    func updateDevice(
        _ id: String, in workspace: String, _ body: @Sendable @escaping (inout Device) -> Void
    ) async throws -> Device {
        let key = AppInstance(workspace: workspace, device: id, app: "")
        await instanceLock.lock(key)
        defer { instanceLock.unlock(key) }
        let version = memory.withLock { $0.workspaceVersion(of: workspace) }
        guard var device = try await device(id, in: workspace) else {
            throw Problem.unknownDevice(id)
        }
        body(&device)
        let changed = device
        try await database.writeThrowingProblems(of: id) { try DeviceTable.update(changed, $0) }
        sessionIndex.scheduleUpdate()
        memory.withLock { $0.setDevice(changed, ifVersion: version) }
        return changed
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

    // MARK: Steps of a change

    /// A change of an app instance's persisted state, to be committed.
    struct PreparedChange: Sendable {
        let app: App
        let deviceLabel: String
        /// The workspace's version before the read.
        let workspaceVersion: Int
        let old: PersistedAppState
        var new: PersistedAppState
        let diff: StateDiff
    }

    /// Makes a change on a copy of the state; the caller holds the instance lock.
    func prepareChange(
        _ instance: AppInstance, _ app: App,
        _ body: (PersistedAppState, inout PersistedAppState) throws -> SessionChange
    ) async throws -> PreparedChange {
        let (device, old, version) = try await loadLocked(instance, app)
        var new = old
        let sessionChange = try body(old, &new)
        let diff = try StateDiff(
            instance, from: old, to: new, sessionChange: sessionChange, sealer: sealer)
        new.newTransitions = []
        return PreparedChange(
            app: app, deviceLabel: device.label, workspaceVersion: version, old: old, new: new,
            diff: diff)
    }

    /// Writes changes of one device, in one transaction with `writingFirst`; then they are visible,
    /// and `then` changes each transient state.
    func commit(
        _ changes: [PreparedChange],
        writingFirst: (@Sendable (Connection) throws -> Void)? = nil,
        then: (AppInstance, inout TransientAppState) -> Void
    ) async throws -> [PreparedChange] {
        var committed = changes
        if writingFirst != nil || changes.contains(where: { !$0.diff.isEmpty }) {
            let systemTime = world.now()
            let rows = try await database.writeThrowingProblems(
                of: changes.first?.diff.instance.device
            ) { connection in
                try writingFirst?(connection)
                return try changes.map {
                    try $0.diff.write(label: $0.deviceLabel, at: systemTime, connection)
                }
            }
            // An instance that was never changed has no row.
            for (index, row) in rows.enumerated() where row > 0 { committed[index].new.rowID = row }
            sessionIndex.scheduleUpdate()
        }
        memory.withLock { memory in
            for change in committed {
                let instance = change.diff.instance
                guard memory.workspaceVersion(of: instance.workspace) == change.workspaceVersion
                else { continue }
                memory.persisted.set(instance, change.new)
                var transient = memory.transientState(of: instance)
                then(instance, &transient)
                memory.setTransient(instance, transient)
            }
        }
        return committed
    }

    /// Publishes the events of a committed change, and records the state after it for restores: for
    /// one by a restore, from its own event on.
    func publish(_ change: PreparedChange, restoredBy restoreEvent: Int64? = nil, cause: Int64?) {
        let (diff, instance) = (change.diff, change.diff.instance)
        var events: [Int64] = restoreEvent.map { [$0] } ?? []
        func publishEvent(
            _ kind: Event.Kind, _ subject: String, _ title: String,
            _ details: [String: String] = [:]
        ) {
            events.append(
                hub.publish(instance, kind, title, subject: subject, cause: cause, details: details)
            )
        }
        for item in diff.deletedItems {
            publishEvent(
                .storageDeleted, item.key, "\(item.key) deleted", ["area": item.area.rawValue])
        }
        for item in diff.writtenItems {
            publishEvent(
                .storageWritten, item.key, "\(item.key) written",
                ["area": item.area.rawValue, "bytes": String(item.value.utf8.count)])
        }
        for (kind, session, title, details) in diff.sessionChange.events {
            publishEvent(kind, session, title, details)
        }
        if diff.isScreenShown {
            let screen = change.new.screen
            publishEvent(.screenShown, screen, "\(screen) shown", ["from": change.old.screen])
            let event = events.last
            updateTransient(instance) { $0.screenEvent = event }
        }
        guard let first = events.first, let last = events.last, let row = change.new.rowID else {
            return
        }
        let transient = memory.withLock { $0.transientState(of: instance) }
        recordState(
            StateRecord(
                instance: instance, instanceRowID: row, firstEvent: first, lastEvent: last,
                app: change.app, persisted: change.new, transient: transient))
    }
}
