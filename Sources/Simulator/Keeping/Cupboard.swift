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
    let clocks: Clocks
    let hub: EventHub
    let index: SessionIndex
    let checks = SessionChecks()
    let moments: Moments

    let memory: Mutex<Memory>
    let gate = Gate<Place>()

    struct Memory: Sendable {
        /// What each is called, by its id.
        var workspaces: [String: String]
        /// Of those that were emptied, how often.
        private(set) var resets: [String: Int] = [:]
        /// How many are gone.
        private(set) var gone = 0
        var devices = Recent<String, Device>(bound: 4_000)
        var kept = Recent<Place, Kept>(bound: 1_000)
        /// Small, and what is lost here a tester would miss: many more.
        var shown = Recent<Place, Shown>(bound: 20_000)
        /// Actions under way by place; such a place's memory is not let go.
        var busy: [Place: Int] = [:]
        var lives = 0

        /// A number that changes when the workspace is emptied or goes, so
        /// that what was read before is not kept.
        func resets(of workspace: String) -> Int {
            workspaces[workspace] == nil ? -1 - gone : resets[workspace] ?? 0
        }

        mutating func noteReset(of workspace: String) {
            if workspaces[workspace] == nil {
                gone += 1
                resets[workspace] = nil
            } else {
                resets[workspace, default: 0] += 1
            }
        }

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
        database: Database, sealer: Sealer, world: World, clocks: Clocks, hub: EventHub,
        workspaces: [String: String]
    ) {
        self.database = database
        self.sealer = sealer
        self.world = world
        self.clocks = clocks
        self.hub = hub
        index = SessionIndex(database: database, world: world)
        moments = Moments(database: database, sealer: sealer, world: world)
        memory = Mutex(Memory(workspaces: workspaces))
        // What waits since the last run, or since the index was made anew.
        index.note()
    }

    func hasWorkspace(_ id: String) -> Bool { memory.withLock { $0.workspaces[id] != nil } }

    /// What a workspace is called; nil for one that is not there.
    func label(ofWorkspace id: String) -> String? { memory.withLock { $0.workspaces[id] } }

    func add(_ workspace: Workspace) {
        memory.withLock { $0.workspaces[workspace.id] = workspace.label }
    }

    /// Forgets all that memory has of it; nobody finds it any more.
    func remove(workspace: String) {
        memory.withLock { $0.workspaces[workspace] = nil }
        forget(workspace: workspace)
    }

    /// The time in the workspace of `place`.
    func now(in place: Place) -> Date { clocks.now(in: place.workspace) }

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
    func holding<Result: Sendable>(_ place: Place, _ work: () async throws -> Result) async rethrows
        -> Result
    {
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
    @discardableResult func show<Result: Sendable>(
        _ place: Place, life: Int? = nil, _ body: (inout Shown) -> Result
    ) -> Result? {
        memory.withLock { memory in
            var shown = memory.shown(place)
            if let life, shown.life != life { return nil }
            let result = body(&shown)
            memory.set(place, shown)
            return result
        }
    }
}
