import Apps
import SQLite
import Surroundings
import Synchronization
import Web

extension Cupboard {
    /// Does `work` while nothing of these apps on devices changes.
    func still<Result: Sendable>(_ places: [Place], _ work: () async throws -> Result)
        async rethrows -> Result
    {
        // Always in the same order, so that two never wait for each other.
        let places = places.sorted { ($0.device, $0.app) < ($1.device, $1.app) }
        for place in places { await gate.enter(place) }
        defer { for place in places { gate.leave(place) } }
        return try await work()
    }

    /// Puts places of one device back, all in one write, and with it ends the
    /// restore of `snapshot`. Within `still`.
    ///
    /// Every app begins a new life: what was under way comes to nothing.
    /// `draft` is told first: what changes is an effect of it, not of what
    /// led to the same changes once.
    func restore(
        _ all: [Restored], as draft: EventDraft? = nil, cause: Int64? = nil,
        ending snapshot: String? = nil
    ) async throws {
        var made: [Made] = []
        for one in all {
            let (device, old, resets) = try await load(one.place, one.app)
            var new = one.kept
            new.row = old.row
            let sessions = SessionChange(
                restoring: one.kept.session, from: old, to: &new, app: one.app,
                at: now(in: one.place))
            do {
                let change = try KeptChange(
                    one.place, from: old, to: new, sessions: sessions, isRestore: true,
                    sealer: sealer)
                made.append(
                    Made(
                        one: one, label: device.label, old: old, new: new, change: change,
                        resets: resets))
            } catch { throw Problem(error) }
        }
        let device = all.first?.place.device
        let changes = made.map { ($0.change, $0.label) }
        let now = world.now()
        let rows = try await database.writing(of: device) { connection in
            if let snapshot { try RestoreTable.end(snapshot, connection) }
            return try changes.map { change, label in
                try change.write(label: label, at: now, connection)
            }
        }
        index.note()
        for (index, row) in rows.enumerated() {
            // What did not change has the row it had.
            if row > 0 { made[index].new.row = row }
        }
        let restored = made
        memory.withLock { memory in
            for one in restored {
                let place = one.one.place
                guard memory.resets(of: place.workspace) == one.resets else { continue }
                memory.kept.set(place, one.new)
                var shown = memory.newLife()
                if let json = one.one.shown { shown.take(whole: json) }
                memory.set(place, shown)
            }
        }
        for one in restored { checks.note(one.one.place) }
        let event = draft.map { hub.publish($0).id }
        for one in restored { tell(one, restoredBy: event, cause: event ?? cause) }
    }

    private struct Made: Sendable {
        let one: Restored
        let label: String
        let old: Kept
        var new: Kept
        let change: KeptChange
        let resets: Int
    }

    private func tell(_ made: Made, restoredBy event: Int64?, cause: Int64?) {
        var told = hub.announce(
            made.change, from: made.old, to: made.new, app: made.one.app, cause: cause)
        // As of the telling itself it is so already.
        told.first = event ?? told.first
        told.last = told.last ?? event
        if let event = told.screen { show(made.one.place) { $0.screenEvent = event } }
        note(made.one.place, made.one.app, made.new, told)
    }

    /// Keeps how a place is after what was told of it, to be put back.
    func note(_ place: Place, _ app: App, _ kept: Kept, _ told: EventHub.Told) {
        guard let first = told.first, let last = told.last, let row = kept.row else { return }
        let shown = memory.withLock { $0.shown(place) }
        moments.note(
            Moments.Moment(
                place: place, row: row, first: first, last: last, app: app, kept: kept, shown: shown
            ))
    }
}
