import Apps
import SQLite
import Surroundings
import Synchronization
import Web

extension Cupboard {
    /// Changes what is kept, and after the commit what is shown.
    ///
    /// With a `life`, throws `Dropped` if the app was killed since. Publishes
    /// what was written, because of `cause`. Only what mends `damaged` things
    /// may change a place that has some.
    @discardableResult func change(
        _ place: Place, _ app: App, life: Int? = nil, because reason: SessionReason = .hand,
        cause: Int64? = nil, held: [String: JSON] = [:], damaged: Bool = false,
        _ body: (inout Kept, Shown) throws -> Void, then: (inout Shown) -> Void = { _ in }
    ) async throws -> Kept {
        await gate.enter(place)
        defer { gate.leave(place) }
        let (device, old, resets) = try await load(place, app)
        if !damaged { try old.checkReadable(place, app) }
        let before = memory.withLock { $0.shown(place) }
        if let life, before.life != life { throw Dropped() }
        var new = old
        try body(&new, before)
        let sessions = SessionChange(
            from: old, to: &new, app: app, place: place, held: before.held.merging(held) { $1 },
            because: reason, at: now(in: place), identifier: { world.identifier("ses") })
        let change: KeptChange
        do {
            change = try KeptChange(place, from: old, to: new, sessions: sessions, sealer: sealer)
        } catch { throw Problem(error) }
        if !change.isEmpty {
            let now = world.now()
            new.row = try await database.writing(of: place.device) {
                try change.write(label: device.label, at: now, $0)
            }
            index.note()
        }
        let kept = new
        memory.withLock { memory in
            guard memory.resets(of: place.workspace) == resets else { return }
            memory.kept.set(place, kept)
            var shown = memory.shown(place)
            then(&shown)
            memory.set(place, shown)
        }
        let told = hub.announce(change, from: old, to: kept, app: app, cause: cause)
        if let event = told.screen { show(place) { $0.screenEvent = event } }
        note(place, app, kept, told)
        if change.concernsSession, kept.session != nil { checks.note(place) }
        return kept
    }

    /// Changes a device in the same order of things.
    func changeDevice(
        _ id: String, in workspace: String, _ body: @Sendable @escaping (inout Device) -> Void
    ) async throws -> Device {
        let key = Place(workspace: workspace, device: id, app: "")
        await gate.enter(key)
        defer { gate.leave(key) }
        let resets = memory.withLock { $0.resets(of: workspace) }
        guard var device = try await device(id, in: workspace) else {
            throw Problem.unknownDevice(id)
        }
        body(&device)
        let changed = device
        try await database.writing(of: id) { connection in
            try DeviceTable.update(changed, connection)
        }
        index.note()
        memory.withLock { memory in
            guard memory.resets(of: workspace) == resets else { return }
            memory.devices.set(id, changed)
        }
        return changed
    }

    /// Forgets what memory has of a workspace; its rows are gone.
    func forget(workspace: String) {
        memory.withLock { memory in
            memory.noteReset(of: workspace)
            memory.devices.removeAll { $1.workspace == workspace }
            memory.kept.removeAll { place, _ in place.workspace == workspace }
            memory.shown.removeAll { place, _ in place.workspace == workspace }
        }
    }
}
