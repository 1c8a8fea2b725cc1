import Apps
import Core
import Crypto
import SQLite
import Synchronization
import Web

extension DeviceStateStore {
    /// All three from memory, read at once; nil if one is missing.
    func cachedState(_ instance: AppInstance) -> InstanceState? {
        memory.withLock { memory in
            guard let device = memory.devices.value(for: instance.device),
                device.workspace == instance.workspace,
                let persisted = memory.persisted.value(for: instance)
            else { return nil }
            return InstanceState(
                device: device, persisted: persisted,
                transient: memory.transientState(of: instance))
        }
    }

    /// The same, read from the database if necessary.
    ///
    /// Throws a `Problem` if a stored value cannot be unsealed, unless `allowsUnreadable`.
    func state(_ instance: AppInstance, _ app: App, allowsUnreadable: Bool = false) async throws
        -> InstanceState
    {
        let found = try await readState(instance, app)
        if !allowsUnreadable { try found.persisted.checkReadable(instance, app) }
        return found
    }

    private func readState(_ instance: AppInstance, _ app: App) async throws -> InstanceState {
        if let cached = cachedState(instance) { return cached }
        await instanceLock.lock(instance)
        defer { instanceLock.unlock(instance) }
        let (device, persisted, _) = try await loadLocked(instance, app)
        let transient = memory.withLock { $0.transientState(of: instance) }
        return InstanceState(device: device, persisted: persisted, transient: transient)
    }

    /// Unseals a value of a list; one that cannot be opened is logged and omitted.
    func unsealIfPossible(_ sealed: String, _ name: @autoclosure () -> String) -> String? {
        do { return try sealer.open(sealed) } catch {
            world.log("storage: could not read \(name()): \(error.detail)")
            return nil
        }
    }

    /// Loads the state; the caller holds the instance lock. `resets` is the workspace's version
    /// before the read.
    func loadLocked(_ instance: AppInstance, _ app: App) async throws -> (
        Device, PersistedAppState, resets: Int
    ) {
        let (cached, version) = memory.withLock { memory in
            (memory.persisted.value(for: instance), memory.workspaceVersion(of: instance.workspace))
        }
        let device = try await device(instance.device, in: instance.workspace)
        guard let device else { throw Problem.unknownDevice(instance.device) }
        if let cached { return (device, cached, version) }
        let stored = try await database.readThrowingProblems { [sealer, world] connection in
            try PersistedAppState.read(instance, sealer, connection) { name, error in
                world.log(
                    "storage: could not read \(name) of \(instance.app) on "
                        + "\(instance.device): \(error.detail)")
            }
        }
        let persisted = stored ?? .firstStart(of: app, at: device.createdAt)
        memory.withLock { memory in
            guard memory.workspaceVersion(of: instance.workspace) == version else { return }
            memory.persisted.set(instance, persisted)
        }
        return (device, persisted, version)
    }

    func device(_ id: String, in workspace: String) async throws -> Device? {
        let (cached, version) = memory.withLock { memory in
            (memory.devices.value(for: id), memory.workspaceVersion(of: workspace))
        }
        if let cached { return cached.workspace == workspace ? cached : nil }
        let stored = try await database.readThrowingProblems { connection in
            try DeviceTable.device(id, workspace, connection)
        }
        guard let stored else { return nil }
        memory.withLock { memory in
            guard memory.workspaceVersion(of: workspace) == version,
                memory.devices.value(for: id) == nil
            else { return }
            memory.devices.set(id, stored)
        }
        return stored
    }
}

/// The state of an app on a device, and the device.
struct InstanceState {
    let device: Device
    let persisted: PersistedAppState
    let transient: TransientAppState
}
