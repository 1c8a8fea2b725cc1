package import Core
package import SQLite
import Synchronization
import Web

/// Stores the active faults of every workspace and counts their applications.
///
/// Faults are chosen under one lock, so that a count of N means N however many calls leave at once.
/// Of several faults of one kind the oldest applies until it is used up. Without faults, a call
/// costs one atomic load.
package final class FaultStore: Sendable {
    let database: Database
    let world: World
    let hub: EventHub
    let state: Mutex<State>
    /// Tasks that wait for a fault to be applied in their workspace.
    let waiters = Waiters<String>()
    private let activeCount: Atomic<Int>

    struct State {
        /// By workspace, in order of creation.
        var active: [String: [Fault]] = [:]
        /// Exchanges the embedded backend is processing, by ticket.
        var tickets: [String: Ticket] = [:]
        var sequence: Int64 = 0
    }

    struct Ticket {
        let context: ExchangeContext
        let exchange: Fault.AffectedExchange
        var appliedFaults: [AppliedFault] = []
    }

    /// The maximum number of active faults in a workspace.
    package static let maxPerWorkspace = 100

    /// Loads the faults that an earlier process stored.
    package init(database: Database, world: World, hub: EventHub) async throws {
        self.database = database
        self.world = world
        self.hub = hub
        let stored = try await database.read(FaultTable.loadAll)
        state = Mutex(
            State(
                active: Dictionary(grouping: stored, by: \.workspace),
                sequence: stored.last?.sequence ?? 0))
        activeCount = Atomic(stored.count)
    }

    // MARK: Adding and removing

    /// In order of creation.
    package func list(in workspace: String) -> [Fault] {
        guard !isEmpty else { return [] }
        return state.withLock { $0.active[workspace] ?? [] }
    }

    /// Adds faults from `drafts`; they apply as soon as this returns.
    package func add(_ drafts: [Fault.Draft], in workspace: String, presetID: String? = nil)
        async throws -> [Fault]
    {
        let now = world.now()
        let ids = drafts.map { _ in world.makeID("cnd") }
        let faults = try state.withLock { state in
            guard (state.active[workspace]?.count ?? 0) + drafts.count <= Self.maxPerWorkspace
            else { throw Problem.tooManyFaults }
            return zip(ids, drafts).map { id, draft in
                state.sequence += 1
                return Fault(
                    id: id, sequence: state.sequence, workspace: workspace, draft: draft,
                    presetID: presetID, appliedCount: 0, createdAt: now)
            }
        }
        try await database.write { connection in
            for fault in faults { try FaultTable.insert(fault, connection) }
        }
        updateState { state in
            state.active[workspace, default: []] += faults
            state.active[workspace]?.sort { $0.sequence < $1.sequence }
        }
        for fault in faults { publishChange(fault, "added") }
        return faults
    }

    /// Removes the faults that `predicate` selects; returns their number.
    @discardableResult package func remove(
        in workspace: String, where predicate: @Sendable (Fault) -> Bool = { _ in true }
    ) async throws -> Int {
        let removed = list(in: workspace).filter(predicate)
        guard !removed.isEmpty else { return 0 }
        let ids = removed.map(\.id)
        try await database.write { connection in try FaultTable.delete(ids, connection) }
        updateState { $0.active[workspace]?.removeAll { ids.contains($0.id) } }
        for fault in removed { publishChange(fault, "ended") }
        return removed.count
    }

    /// Removes all faults of a workspace that is reset or deleted.
    package func clear(workspace: String) async throws {
        try await database.write { connection in
            try connection.run("DELETE FROM conditions WHERE workspace = ?", [.text(workspace)])
        }
        updateState { $0.active[workspace] = nil }
    }

    /// Every workspace that has an active fault.
    package func workspaces() -> Set<String> { state.withLock { Set($0.active.keys) } }

    /// Whether no workspace has a fault.
    var isEmpty: Bool { activeCount.load(ordering: .acquiring) == 0 }

    /// Stores the count under the lock: if it were stored after unlocking, an older change's count
    /// could be stored last and hide a newer fault.
    func updateState(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            activeCount.store(state.active.values.reduce(0) { $0 + $1.count }, ordering: .releasing)
        }
    }

    /// Yields each time a fault is applied to an exchange of the workspace after this call, just
    /// before the request is sent.
    package func faultNotifications(in workspace: String) -> AsyncStream<String> {
        waiters.values { $0 == workspace }
    }
}

extension Problem {
    fileprivate static let tooManyFaults = Problem(
        status: 409, code: "too-many-faults", title: "Too many faults",
        detail: "A workspace can have \(FaultStore.maxPerWorkspace). Turn some off first.",
        apiHint: "DELETE /api/faults turns off all.")
}
