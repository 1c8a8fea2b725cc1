package import SQLite
package import Surroundings
import Synchronization
import Web

/// The conditions of every workspace, counted where nobody can slip between.
///
/// What strikes is decided under one lock, so that N means N however many
/// calls leave at once: of several conditions of one kind the oldest strikes
/// until it is used up. While there are none, a call costs one look.
package final class Conditions: Sendable {
    let database: Database
    let world: World
    let hub: EventHub
    let state: Mutex<State>
    let waiters = StrikeWaiters()
    private let count: Atomic<Int>

    struct State {
        /// By workspace, in the order of making.
        var active: [String: [Condition]] = [:]
        /// Exchanges the embedded backend works on now, by ticket.
        var tickets: [String: Ticket] = [:]
        var sequence: Int64 = 0
    }

    struct Ticket {
        let context: ExchangeContext
        let use: Condition.Use
        var blows: [Blow] = []
    }

    /// So many of a workspace at once.
    package static let most = 100

    /// Reads what an earlier run of the process left.
    package init(database: Database, world: World, hub: EventHub) async throws {
        self.database = database
        self.world = world
        self.hub = hub
        let kept = try await database.read(ConditionTable.all)
        state = Mutex(
            State(
                active: Dictionary(grouping: kept, by: \.workspace),
                sequence: kept.last?.sequence ?? 0))
        count = Atomic(kept.count)
    }

    // MARK: Making and ending

    /// In the order of making.
    package func list(in workspace: String) -> [Condition] {
        guard !isIdle else { return [] }
        return state.withLock { $0.active[workspace] ?? [] }
    }

    /// Makes what `drafts` say; they strike from the moment this returns.
    package func add(_ drafts: [Condition.Draft], in workspace: String, set: String? = nil)
        async throws -> [Condition]
    {
        let now = world.now()
        let ids = drafts.map { _ in world.identifier("cnd") }
        let made = try state.withLock { state in
            guard (state.active[workspace]?.count ?? 0) + drafts.count <= Self.most else {
                throw Problem.tooManyConditions
            }
            return zip(ids, drafts).map { id, draft in
                state.sequence += 1
                return Condition(
                    id: id, sequence: state.sequence, workspace: workspace, draft: draft, set: set,
                    used: 0, madeAt: now)
            }
        }
        try await database.write { connection in
            for condition in made { try ConditionTable.insert(condition, connection) }
        }
        change { state in
            state.active[workspace, default: []] += made
            state.active[workspace]?.sort { $0.sequence < $1.sequence }
        }
        for condition in made { tell(condition, "added") }
        return made
    }

    /// Ends those that `which` picks; answers how many there were.
    @discardableResult package func end(
        in workspace: String, where which: @Sendable (Condition) -> Bool = { _ in true }
    ) async throws -> Int {
        let ended = list(in: workspace).filter(which)
        guard !ended.isEmpty else { return 0 }
        let ids = ended.map(\.id)
        try await database.write { connection in try ConditionTable.delete(ids, connection) }
        change { $0.active[workspace]?.removeAll { ids.contains($0.id) } }
        for condition in ended { tell(condition, "ended") }
        return ended.count
    }

    /// An emptied or dropped workspace has none.
    package func forget(workspace: String) async throws {
        try await database.write { connection in try ConditionTable.forget(workspace, connection) }
        change { $0.active[workspace] = nil }
    }

    /// Every workspace that has a condition.
    package func workspaces() -> Set<String> { state.withLock { Set($0.active.keys) } }

    /// Whether there is none at all.
    var isIdle: Bool { count.load(ordering: .acquiring) == 0 }

    /// The count is stored under the lock: stored after it, that of an older
    /// change could come last and hide what was added meanwhile.
    func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            count.store(state.active.values.reduce(0) { $0 + $1.count }, ordering: .releasing)
        }
    }
}

extension Problem {
    fileprivate static let tooManyConditions = Problem(
        status: 409, code: "too-many-conditions", title: "There are too many conditions",
        detail: "A workspace holds \(Conditions.most) at once; end some first.",
        call: "DELETE /api/conditions ends all.")
}
