import Apps
import FoundationEssentials
import SQLite
import Secrets
import Surroundings
import Synchronization
import Web

/// What devices keep and show: on disk, in memory as far as it is in use, and
/// always in step.
///
/// Changes of one app on one device follow one another; each is made on a
/// copy, committed, and only then seen by anybody. Reading what is in memory
/// waits for nothing.
final class Cupboard: Sendable {
    let database: Database
    let sealer: Sealer
    let world: World
    let hub: EventHub

    private let memory: Mutex<Memory>
    private let gate = Gate<Place>()

    struct Memory: Sendable {
        var workspaces: Set<String>
        /// Grows with every reset, so that what was read before is not kept.
        var resets: [String: Int] = [:]
        var devices = Recent<String, Device>(bound: 4_000)
        var kept = Recent<Place, Kept>(bound: 1_000)
        /// Small, and what is lost here a tester would miss: many more.
        var shown = Recent<Place, Shown>(bound: 20_000)
        /// Actions under way by place; such a place's memory is not let go.
        var busy: [Place: Int] = [:]
        var lives = 0

        mutating func newLife() -> Shown {
            lives += 1
            return Shown(life: lives)
        }

        mutating func shown(_ place: Place) -> Shown {
            if let shown = shown.use(place) { return shown }
            let shown = newLife()
            set(place, shown)
            return shown
        }

        mutating func set(_ place: Place, _ shown: Shown) {
            let busy = busy
            self.shown.set(place, shown) { busy[$0] == nil }
        }
    }

    /// The app was killed while an action was under way.
    struct Dropped: Error {}

    init(
        database: Database, sealer: Sealer, world: World, hub: EventHub,
        workspaces: Set<String>
    ) {
        self.database = database
        self.sealer = sealer
        self.world = world
        self.hub = hub
        memory = Mutex(Memory(workspaces: workspaces))
    }

    func hasWorkspace(_ id: String) -> Bool {
        memory.withLock { $0.workspaces.contains(id) }
    }

    // MARK: Reading

    /// What is in memory of all three, at once; nil if something is not.
    func glance(_ place: Place) -> (device: Device, kept: Kept, shown: Shown)? {
        memory.withLock { memory in
            guard let device = memory.devices.use(place.device),
                device.workspace == place.workspace,
                let kept = memory.kept.use(place)
            else { return nil }
            return (device, kept, memory.shown(place))
        }
    }

    /// The same, read from disk where it has to be.
    func look(
        _ place: Place, _ app: App
    ) async throws -> (device: Device, kept: Kept, shown: Shown) {
        if let glance = glance(place) { return glance }
        await gate.enter(place)
        defer { gate.leave(place) }
        let (device, kept, _) = try await load(place, app)
        let shown = memory.withLock { $0.shown(place) }
        return (device, kept, shown)
    }

    /// Within the gate. The number is that of the workspace's resets before.
    private func load(
        _ place: Place, _ app: App
    ) async throws -> (Device, Kept, resets: Int) {
        let (known, resets) = memory.withLock { memory in
            (memory.kept.use(place), memory.resets[place.workspace] ?? 0)
        }
        let device = try await device(place.device, in: place.workspace)
        guard let device else { throw Problem.unknownDevice(place.device) }
        if let known { return (device, known, resets) }
        let (row, session) = try await database.reading { connection in
            (
                try PlaceTable.read(
                    device: place.device, app: place.app, connection),
                try SessionTable.current(of: place, connection)
            )
        }
        let kept =
            row.map { Kept($0, session: session, sealer: sealer) }
            ?? Kept(fresh: app, at: device.createdAt)
        memory.withLock { memory in
            guard memory.resets[place.workspace] ?? 0 == resets else { return }
            memory.kept.set(place, kept)
        }
        return (device, kept, resets)
    }

    func device(
        _ id: String, in workspace: String
    ) async throws -> Device? {
        let (known, resets) = memory.withLock { memory in
            (memory.devices.use(id), memory.resets[workspace] ?? 0)
        }
        if let known { return known.workspace == workspace ? known : nil }
        let found = try await database.reading { connection in
            try DeviceTable.device(id, workspace, connection)
        }
        guard let found else { return nil }
        memory.withLock { memory in
            guard memory.resets[workspace] ?? 0 == resets,
                memory.devices.use(id) == nil
            else { return }
            memory.devices.set(id, found)
        }
        return found
    }

    // MARK: Lives

    /// The number of a run of an app that begins now.
    func newLife() -> Int {
        memory.withLock { memory in
            memory.lives += 1
            return memory.lives
        }
    }

    /// Whether the app has not been killed since `life` began.
    func isAlive(_ place: Place, _ life: Int) -> Bool {
        memory.withLock { $0.shown(place).life == life }
    }

    /// Keeps the place in memory while `work` is under way.
    func holding<Result: Sendable>(
        _ place: Place, _ work: () async throws -> Result
    ) async rethrows -> Result {
        memory.withLock { $0.busy[place, default: 0] += 1 }
        defer {
            memory.withLock { memory in
                let left = (memory.busy[place] ?? 1) - 1
                memory.busy[place] = left == 0 ? nil : left
            }
        }
        return try await work()
    }

    /// Changes what is shown and nothing that is kept, at once; not if the
    /// app was killed since `life`.
    @discardableResult
    func show<Result: Sendable>(
        _ place: Place, life: Int? = nil,
        _ body: (inout Shown) -> Result
    ) -> Result? {
        memory.withLock { memory in
            var shown = memory.shown(place)
            if let life, shown.life != life { return nil }
            let result = body(&shown)
            memory.set(place, shown)
            return result
        }
    }

    // MARK: Changing

    /// Changes what is kept, and after the commit what is shown.
    ///
    /// With a `life`, throws `Dropped` if the app was killed since. Publishes
    /// what was written, because of `cause`.
    @discardableResult
    func change(
        _ place: Place, _ app: App, life: Int? = nil,
        because reason: SessionReason = .hand, cause: Int64? = nil,
        held: [String: JSON] = [:],
        _ body: (inout Kept, Shown) throws -> Void,
        then: (inout Shown) -> Void = { _ in }
    ) async throws -> Kept {
        await gate.enter(place)
        defer { gate.leave(place) }
        let (device, old, resets) = try await load(place, app)
        let before = memory.withLock { $0.shown(place) }
        if let life, before.life != life { throw Dropped() }
        var new = old
        try body(&new, before)
        let sessions = SessionChange(
            from: old, to: &new, app: app, place: place,
            held: before.held.merging(held) { $1 }, because: reason,
            at: world.now(), identifier: { world.identifier("ses") })
        let change = try KeptChange(
            place, from: old, to: new, sessions: sessions, sealer: sealer)
        if !change.isEmpty {
            new.row = try await database.writing(of: place.device) {
                try change.write(label: device.label, $0)
            }
        }
        let kept = new
        memory.withLock { memory in
            guard memory.resets[place.workspace] ?? 0 == resets else { return }
            memory.kept.set(place, kept)
            var shown = memory.shown(place)
            then(&shown)
            memory.set(place, shown)
        }
        hub.announce(change, from: old, to: kept, app: app, cause: cause)
        return kept
    }

    /// Changes a device in the same order of things.
    func changeDevice(
        _ id: String, in workspace: String,
        _ body: @Sendable @escaping (inout Device) -> Void
    ) async throws -> Device {
        let key = Place(workspace: workspace, device: id, app: "")
        await gate.enter(key)
        defer { gate.leave(key) }
        let resets = memory.withLock { $0.resets[workspace] ?? 0 }
        guard var device = try await device(id, in: workspace) else {
            throw Problem.unknownDevice(id)
        }
        body(&device)
        let changed = device
        try await database.writing(of: id) { connection in
            try DeviceTable.update(changed, connection)
        }
        memory.withLock { memory in
            guard memory.resets[workspace] ?? 0 == resets else { return }
            memory.devices.set(id, changed)
        }
        return changed
    }

    /// Forgets what memory has of a workspace; its rows are gone.
    func forget(workspace: String) {
        memory.withLock { memory in
            memory.resets[workspace, default: 0] += 1
            memory.devices.removeAll { $1.workspace == workspace }
            memory.kept.removeAll { place, _ in place.workspace == workspace }
            memory.shown.removeAll { place, _ in place.workspace == workspace }
        }
    }
}
