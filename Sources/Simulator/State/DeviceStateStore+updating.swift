import Apps
import Core
import SQLite
import Synchronization
import Web

extension DeviceStateStore {
    /// Changes what is kept, and after the commit what is shown.
    ///
    /// With a `life`, throws `Dropped` if the app was killed since. Publishes
    /// what was written, because of `cause`. Only what mends `damaged` things
    /// may change a place that has some.
    @discardableResult func update(
        _ instance: AppInstance, _ app: App, launchID: Int? = nil,
        reason: StorageChangeReason = .manual,
        cause: Int64? = nil, captured: [String: JSON] = [:], allowsUnreadable: Bool = false,
        _ body: (inout PersistedAppState, TransientAppState) throws -> Void,
        then: (inout TransientAppState) -> Void = { _ in }
    ) async throws -> PersistedAppState {
        await instanceLock.lock(instance)
        defer { instanceLock.unlock(instance) }
        let (device, old, resets) = try await loadLocked(instance, app)
        if !allowsUnreadable { try old.checkReadable(instance, app) }
        let before = memory.withLock { $0.transientState(of: instance) }
        if let launchID, before.launchID != launchID { throw AppTerminated() }
        var new = old
        try body(&new, before)
        let sessions = SessionChange(
            from: old, to: &new, app: app, instance: instance,
            captured: before.capturedValues.merging(captured) { $1 },
            reason: reason, at: now(in: instance), makeID: { world.makeID("ses") })
        let change: StateDiff
        do {
            change = try StateDiff(
                instance, from: old, to: new, sessionChange: sessions, sealer: sealer)
        } catch { throw Problem(error) }
        if !change.isEmpty {
            let now = world.now()
            new.rowID = try await database.writeThrowingProblems(of: instance.device) {
                try change.write(label: device.label, at: now, $0)
            }
            sessionIndex.scheduleUpdate()
        }
        let persisted = new
        memory.withLock { memory in
            guard memory.workspaceVersion(of: instance.workspace) == resets else { return }
            memory.persisted.set(instance, persisted)
            var transient = memory.transientState(of: instance)
            then(&transient)
            memory.setTransient(instance, transient)
        }
        let told = hub.publishDiff(change, from: old, to: persisted, app: app, cause: cause)
        if let event = told.screenEvent { updateTransient(instance) { $0.screenEvent = event } }
        recordHistory(instance, app, persisted, told)
        if change.affectsSession, persisted.session != nil { sessionChecks.enqueue(instance) }
        return persisted
    }

    /// Changes a device in the same order of things.
    func updateDevice(
        _ id: String, in workspace: String, _ body: @Sendable @escaping (inout Device) -> Void
    ) async throws -> Device {
        let key = AppInstance(workspace: workspace, device: id, app: "")
        await instanceLock.lock(key)
        defer { instanceLock.unlock(key) }
        let resets = memory.withLock { $0.workspaceVersion(of: workspace) }
        guard var device = try await device(id, in: workspace) else {
            throw Problem.unknownDevice(id)
        }
        body(&device)
        let changed = device
        try await database.writeThrowingProblems(of: id) { connection in
            try DeviceTable.update(changed, connection)
        }
        sessionIndex.scheduleUpdate()
        memory.withLock { memory in
            guard memory.workspaceVersion(of: workspace) == resets else { return }
            memory.devices.set(id, changed)
        }
        return changed
    }

    /// Forgets what memory has of a workspace; its rows are gone.
    func evict(workspace: String) {
        memory.withLock { memory in
            memory.recordReset(of: workspace)
            memory.devices.removeAll { $1.workspace == workspace }
            memory.persisted.removeAll { instance, _ in instance.workspace == workspace }
            memory.transient.removeAll { instance, _ in instance.workspace == workspace }
        }
    }
}
