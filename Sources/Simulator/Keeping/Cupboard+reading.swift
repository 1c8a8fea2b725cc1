import Apps
import SQLite
import Secrets
import Surroundings
import Synchronization
import Web

extension Cupboard {
    /// What is in memory of all three, at once; nil if something is not.
    func glance(_ place: Place) -> (device: Device, kept: Kept, shown: Shown)? {
        memory.withLock { memory in
            guard let device = memory.devices.use(place.device),
                device.workspace == place.workspace, let kept = memory.kept.use(place)
            else { return nil }
            return (device, kept, memory.shown(place))
        }
    }

    /// The same, read from disk where it has to be.
    ///
    /// Throws a `Problem` if something of it cannot be unsealed, unless
    /// `damaged` things are what is looked for.
    func look(_ place: Place, _ app: App, damaged: Bool = false) async throws -> (
        device: Device, kept: Kept, shown: Shown
    ) {
        let found = try await find(place, app)
        if !damaged { try found.kept.checkReadable(place, app) }
        return found
    }

    private func find(_ place: Place, _ app: App) async throws -> (
        device: Device, kept: Kept, shown: Shown
    ) {
        if let glance = glance(place) { return glance }
        await gate.enter(place)
        defer { gate.leave(place) }
        let (device, kept, _) = try await load(place, app)
        let shown = memory.withLock { $0.shown(place) }
        return (device, kept, shown)
    }

    /// A sealed value of a list in which one that cannot be opened is left
    /// out; the log is told of it.
    func opened(_ sealed: String, _ name: @autoclosure () -> String) -> String? {
        do { return try sealer.open(sealed) } catch {
            world.log("storage: \(name()) cannot be read: \(error.detail)")
            return nil
        }
    }

    /// Within the gate. The number is that of the workspace's resets before.
    func load(_ place: Place, _ app: App) async throws -> (Device, Kept, resets: Int) {
        let (known, resets) = memory.withLock { memory in
            (memory.kept.use(place), memory.resets(of: place.workspace))
        }
        let device = try await device(place.device, in: place.workspace)
        guard let device else { throw Problem.unknownDevice(place.device) }
        if let known { return (device, known, resets) }
        let (row, session) = try await database.reading { connection in
            (
                try PlaceTable.read(device: place.device, app: place.app, connection),
                try SessionTable.current(of: place, connection)
            )
        }
        let kept =
            row.map { row in
                Kept(row, session: session, sealer: sealer) { name, error in
                    world.log(
                        "storage: \(name) of \(place.app) on \(place.device) "
                            + "cannot be read: \(error.detail)")
                }
            } ?? Kept(fresh: app, at: device.createdAt)
        memory.withLock { memory in
            guard memory.resets(of: place.workspace) == resets else { return }
            memory.kept.set(place, kept)
        }
        return (device, kept, resets)
    }

    func device(_ id: String, in workspace: String) async throws -> Device? {
        let (known, resets) = memory.withLock { memory in
            (memory.devices.use(id), memory.resets(of: workspace))
        }
        if let known { return known.workspace == workspace ? known : nil }
        let found = try await database.reading { connection in
            try DeviceTable.device(id, workspace, connection)
        }
        guard let found else { return nil }
        memory.withLock { memory in
            guard memory.resets(of: workspace) == resets, memory.devices.use(id) == nil else {
                return
            }
            memory.devices.set(id, found)
        }
        return found
    }
}
