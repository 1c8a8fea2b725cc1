package import Core
package import SQLite
import Synchronization
import Web

/// The conditions of every workspace, counted where nobody can slip between.
///
/// What strikes is decided under one lock, so that N means N however many
/// calls leave at once: of several conditions of one kind the oldest strikes
/// until it is used up. While there are none, a call costs one look.
package final class FaultStore: Sendable {
    let database: Database
    let world: World
    let hub: EventHub
    let state: Mutex<State>
    let waiters = FaultWaiters()
    private let activeCount: Atomic<Int>

    struct State {
        /// By workspace, in the order of making.
        var active: [String: [Fault]] = [:]
        /// Exchanges the embedded backend works on now, by ticket.
        var tickets: [String: Ticket] = [:]
        var sequence: Int64 = 0
    }

    struct Ticket {
        let context: ExchangeContext
        let exchange: Fault.AffectedExchange
        var appliedFaults: [AppliedFault] = []
    }

    /// So many of a workspace at once.
    package static let maxPerWorkspace = 100

    /// Reads what an earlier run of the process left.
    package init(database: Database, world: World, hub: EventHub) async throws {
        self.database = database
        self.world = world
        self.hub = hub
        let kept = try await database.read(FaultTable.loadAll)
        state = Mutex(
            State(
                active: Dictionary(grouping: kept, by: \.workspace),
                sequence: kept.last?.sequence ?? 0))
        activeCount = Atomic(kept.count)
    }

    // MARK: Making and ending

    /// In the order of making.
    package func list(in workspace: String) -> [Fault] {
        guard !isEmpty else { return [] }
        return state.withLock { $0.active[workspace] ?? [] }
    }

    /// Makes what `drafts` say; they strike from the moment this returns.
    package func add(_ drafts: [Fault.Draft], in workspace: String, presetID: String? = nil)
        async throws -> [Fault]
    {
        let now = world.now()
        let ids = drafts.map { _ in world.makeID("cnd") }
        let made = try state.withLock { state in
            guard (state.active[workspace]?.count ?? 0) + drafts.count <= Self.maxPerWorkspace
            else {
                throw Problem.tooManyFaults
            }
            return zip(ids, drafts).map { id, draft in
                state.sequence += 1
                return Fault(
                    id: id, sequence: state.sequence, workspace: workspace, draft: draft,
                    presetID: presetID,
                    appliedCount: 0, createdAt: now)
            }
        }
        try await database.write { connection in
            for fault in made { try FaultTable.insert(fault, connection) }
        }
        updateState { state in
            state.active[workspace, default: []] += made
            state.active[workspace]?.sort { $0.sequence < $1.sequence }
        }
        for fault in made { publishChange(fault, "added") }
        return made
    }

    /// Ends those that `which` picks; answers how many there were.
    @discardableResult package func remove(
        in workspace: String, where which: @Sendable (Fault) -> Bool = { _ in true }
    ) async throws -> Int {
        let ended = list(in: workspace).filter(which)
        guard !ended.isEmpty else { return 0 }
        let ids = ended.map(\.id)
        try await database.write { connection in try FaultTable.delete(ids, connection) }
        updateState { $0.active[workspace]?.removeAll { ids.contains($0.id) } }
        for fault in ended { publishChange(fault, "ended") }
        return ended.count
    }

    /// An emptied or dropped workspace has none.
    package func clear(workspace: String) async throws {
        try await database.write { connection in try FaultTable.clear(workspace, connection) }
        updateState { $0.active[workspace] = nil }
    }

    /// Every workspace that has a condition.
    package func workspaces() -> Set<String> { state.withLock { Set($0.active.keys) } }

    /// Whether there is none at all.
    var isEmpty: Bool { activeCount.load(ordering: .acquiring) == 0 }

    /// The count is stored under the lock: stored after it, that of an older
    /// change could come last and hide what was added meanwhile.
    func updateState(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            activeCount.store(state.active.values.reduce(0) { $0 + $1.count }, ordering: .releasing)
        }
    }
}

extension Problem {
    fileprivate static let tooManyFaults = Problem(
        status: 409, code: "too-many-conditions", title: "There are too many conditions",
        detail: "A workspace holds \(FaultStore.maxPerWorkspace) at once; end some first.",
        apiHint: "DELETE /api/conditions ends all.")
}
