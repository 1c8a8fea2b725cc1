import Apps
import Core
import Crypto
import SQLite
import Synchronization
import Web

extension DeviceStateStore {
    /// What is in memory of all three, at once; nil if something is not.
    func cachedState(_ instance: AppInstance) -> (
        device: Device, kept: PersistedAppState, shown: TransientAppState
    )? {
        memory.withLock { memory in
            guard let device = memory.devices.value(for: instance.device),
                device.workspace == instance.workspace,
                let persisted = memory.persisted.value(for: instance)
            else { return nil }
            return (device, persisted, memory.transientState(of: instance))
        }
    }

    /// The same, read from disk where it has to be.
    ///
    /// Throws a `Problem` if something of it cannot be unsealed, unless
    /// `damaged` things are what is looked for.
    func state(_ instance: AppInstance, _ app: App, allowsUnreadable: Bool = false) async throws
        -> (
            device: Device, kept: PersistedAppState, shown: TransientAppState
        )
    {
        let found = try await readState(instance, app)
        if !allowsUnreadable { try found.kept.checkReadable(instance, app) }
        return found
    }

    private func readState(_ instance: AppInstance, _ app: App) async throws -> (
        device: Device, kept: PersistedAppState, shown: TransientAppState
    ) {
        if let glance = cachedState(instance) { return glance }
        await instanceLock.lock(instance)
        defer { instanceLock.unlock(instance) }
        let (device, persisted, _) = try await loadLocked(instance, app)
        let transient = memory.withLock { $0.transientState(of: instance) }
        return (device, persisted, transient)
    }

    /// A sealed value of a list in which one that cannot be opened is left
    /// out; the log is told of it.
    func unsealIfPossible(_ sealed: String, _ name: @autoclosure () -> String) -> String? {
        do { return try sealer.open(sealed) } catch {
            world.log("storage: \(name()) cannot be read: \(error.detail)")
            return nil
        }
    }

    /// Within the gate. The number is that of the workspace's resets before.
    func loadLocked(_ instance: AppInstance, _ app: App) async throws -> (
        Device, PersistedAppState, resets: Int
    ) {
        let (known, resets) = memory.withLock { memory in
            (memory.persisted.value(for: instance), memory.workspaceVersion(of: instance.workspace))
        }
        let device = try await device(instance.device, in: instance.workspace)
        guard let device else { throw Problem.unknownDevice(instance.device) }
        if let known { return (device, known, resets) }
        let (row, session) = try await database.readThrowingProblems { connection in
            (
                try AppInstanceTable.read(device: instance.device, app: instance.app, connection),
                try SessionTable.activeSession(of: instance, connection)
            )
        }
        let persisted =
            row.map { row in
                PersistedAppState(row, session: session, sealer: sealer) { name, error in
                    world.log(
                        "storage: \(name) of \(instance.app) on \(instance.device) "
                            + "cannot be read: \(error.detail)")
                }
            } ?? PersistedAppState(firstStartOf: app, at: device.createdAt)
        memory.withLock { memory in
            guard memory.workspaceVersion(of: instance.workspace) == resets else { return }
            memory.persisted.set(instance, persisted)
        }
        return (device, persisted, resets)
    }

    func device(_ id: String, in workspace: String) async throws -> Device? {
        let (known, resets) = memory.withLock { memory in
            (memory.devices.value(for: id), memory.workspaceVersion(of: workspace))
        }
        if let known { return known.workspace == workspace ? known : nil }
        let found = try await database.readThrowingProblems { connection in
            try DeviceTable.device(id, workspace, connection)
        }
        guard let found else { return nil }
        memory.withLock { memory in
            guard memory.workspaceVersion(of: workspace) == resets,
                memory.devices.value(for: id) == nil
            else {
                return
            }
            memory.devices.set(id, found)
        }
        return found
    }
}
