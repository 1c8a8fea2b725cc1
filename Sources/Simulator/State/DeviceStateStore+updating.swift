import Apps
import Core
import SQLite
import Synchronization
import Web

extension DeviceStateStore {
    /// Changes the persisted state and, after the commit, the transient state.
    ///
    /// With a `launchID`, throws `AppTerminated` if the app was killed since. Publishes the written
    /// changes with `cause`. Unreadable values make it throw a `Problem`, unless
    /// `allowsUnreadable`: only changes that replace or delete them use that.
    @discardableResult func update(
        _ instance: AppInstance, _ app: App, launchID: Int? = nil,
        reason: StorageChangeReason = .manual, cause: Int64? = nil, captured: [String: JSON] = [:],
        allowsUnreadable: Bool = false,
        _ body: (inout PersistedAppState, TransientAppState) throws -> Void,
        then: (inout TransientAppState) -> Void = { _ in }
    ) async throws -> PersistedAppState {
        await instanceLock.lock(instance)
        defer { instanceLock.unlock(instance) }
        let (device, old, version) = try await loadLocked(instance, app)
        if !allowsUnreadable { try old.checkReadable(instance, app) }
        let before = memory.withLock { $0.transientState(of: instance) }
        if let launchID, before.launchID != launchID { throw AppTerminated() }
        var new = old
        try body(&new, before)
        let sessionChange = SessionChange(
            from: old, to: &new, app: app, instance: instance,
            captured: before.capturedValues.merging(captured) { $1 }, reason: reason,
            at: now(in: instance), makeID: { world.makeID("ses") })
        let diff: StateDiff
        do {
            diff = try StateDiff(
                instance, from: old, to: new, sessionChange: sessionChange, sealer: sealer)
        } catch { throw Problem(error) }
        if !diff.isEmpty {
            let now = world.now()
            new.rowID = try await database.writeThrowingProblems(of: instance.device) {
                try diff.write(label: device.label, at: now, $0)
            }
            sessionIndex.scheduleUpdate()
        }
        let persisted = new
        memory.withLock { memory in
            guard memory.workspaceVersion(of: instance.workspace) == version else { return }
            memory.persisted.set(instance, persisted)
            var transient = memory.transientState(of: instance)
            then(&transient)
            memory.setTransient(instance, transient)
        }
        let events = hub.publishDiff(diff, from: old, to: persisted, app: app, cause: cause)
        if let event = events.screenEvent { updateTransient(instance) { $0.screenEvent = event } }
        recordHistory(instance, app, persisted, events)
        if diff.affectsSession, persisted.session != nil { sessionChecks.enqueue(instance) }
        return persisted
    }

    /// Records an instance's state after the events of a change, for restores.
    func recordHistory(
        _ instance: AppInstance, _ app: App, _ persisted: PersistedAppState,
        _ events: EventHub.PublishedEvents
    ) {
        guard let first = events.firstEvent, let last = events.lastEvent, let row = persisted.rowID
        else { return }
        let transient = memory.withLock { $0.transientState(of: instance) }
        recordState(
            StateRecord(
                instance: instance, instanceRowID: row, firstEvent: first, lastEvent: last,
                app: app, persisted: persisted, transient: transient))
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
        memory.withLock { memory in
            guard memory.workspaceVersion(of: workspace) == version else { return }
            memory.devices.set(id, changed)
        }
        return changed
    }

    /// Stores a session check's result; returns whether the session's state changed.
    ///
    /// Holds the instance lock, so that no concurrent change writes the old state back.
    func record(_ finding: SessionCheckResult, of instance: AppInstance) async throws -> Bool {
        await instanceLock.lock(instance)
        defer { instanceLock.unlock(instance) }
        let isChanged = try await database.writeThrowingProblems { connection in
            try SessionTable.record(finding, connection)
        }
        guard isChanged else { return false }
        memory.withLock { memory in
            guard var persisted = memory.persisted.value(for: instance),
                persisted.session?.id == finding.session
            else { return }
            persisted.session?.state = finding.isRevoked == true ? .revoked : .active
            memory.persisted.set(instance, persisted)
        }
        return true
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
}
