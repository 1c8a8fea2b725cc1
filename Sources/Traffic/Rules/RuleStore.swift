package import Core
package import Crypto
import FoundationEssentials
package import SQLite
import Synchronization
import Web

/// Stores the rules of every workspace, and holds the exchanges they pause.
///
/// Without rules that are on, an exchange costs one atomic load.
package final class RuleStore: Sendable {
    private let database: Database
    private let sealer: Sealer
    let world: World
    let hub: EventHub
    let state: Mutex<State>
    /// Tasks that wait for an exchange to be paused.
    let waiters = Waiters<PausedExchange>()
    private let activeCount: Atomic<Int>

    struct State {
        /// By workspace, in their order.
        var rules: [String: [TrafficRule]] = [:]
        var pauses = PauseTable()
        var lastPosition: Int64 = 0
    }

    /// The maximum number of rules in a workspace.
    package static let maxPerWorkspace = 100
    /// The maximum size of all responses of a workspace's rules, which are held in memory.
    package static let maxResponseBytes = 16 << 20

    /// Loads the rules that an earlier process stored.
    package init(database: Database, sealer: Sealer, world: World, hub: EventHub) async throws {
        self.database = database
        self.sealer = sealer
        self.world = world
        self.hub = hub
        let stored = try await database.read { try RuleTable.loadAll(sealer, $0) }
        state = Mutex(
            State(
                rules: Dictionary(grouping: stored, by: \.workspace),
                lastPosition: stored.last?.position ?? 0))
        activeCount = Atomic(stored.count { $0.draft.isOn })
    }

    /// Whether no workspace has a rule that is on.
    var isEmpty: Bool { activeCount.load(ordering: .acquiring) == 0 }

    // MARK: Rules

    /// In their order.
    package func list(in workspace: String) -> [TrafficRule] {
        state.withLock { $0.rules[workspace] ?? [] }
    }

    package func rule(_ id: String, in workspace: String) -> TrafficRule? {
        list(in: workspace).first { $0.id == id }
    }

    /// The first rule of this kind that is on and matches the request.
    func match(
        _ kind: TrafficRule.Kind, _ request: OutboundRequest, _ context: ExchangeContext
    ) -> TrafficRule? {
        list(in: context.workspace).first { rule in
            rule.kind == kind && rule.draft.isOn && rule.draft.match.matches(request, context)
        }
    }

    /// Adds a rule at the end of the order.
    package func add(_ draft: TrafficRule.Draft, in workspace: String) async throws -> TrafficRule {
        let id = world.makeID("rul")
        let now = world.now()
        let rule = try state.withLock { state throws(Problem) in
            let rules = state.rules[workspace] ?? []
            guard rules.count < Self.maxPerWorkspace else { throw .tooManyRules }
            try Self.requireRoom(for: draft, beside: rules)
            state.lastPosition += 1
            return TrafficRule(
                id: id, workspace: workspace, position: state.lastPosition, draft: draft,
                createdAt: now)
        }
        try await save([rule], "added")
        return rule
    }

    /// Replaces the definition of a rule. Turned off, it lets go of what it paused.
    package func update(_ rule: TrafficRule, to draft: TrafficRule.Draft) async throws
        -> TrafficRule
    {
        try Self.requireRoom(
            for: draft, beside: list(in: rule.workspace).filter { $0.id != rule.id })
        var new = rule
        new.draft = draft
        let change =
            draft.isOn == rule.draft.isOn ? "changed" : draft.isOn ? "turned on" : "turned off"
        try await save([new], change)
        return new
    }

    /// Moves a rule to `index` in the order of its workspace's rules.
    package func move(_ rule: TrafficRule, to index: Int) async throws {
        var rules = list(in: rule.workspace)
        let positions = rules.map(\.position)
        guard let current = rules.firstIndex(where: { $0.id == rule.id }) else { return }
        let moving = rules.remove(at: current)
        rules.insert(moving, at: min(max(index, 0), rules.count))
        let moved = zip(rules, positions).compactMap { rule, position -> TrafficRule? in
            var rule = rule
            guard rule.position != position else { return nil }
            rule.position = position
            return rule
        }
        guard !moved.isEmpty else { return }
        try await save(moved, "moved", subject: rule.id)
    }

    /// Removes the rules that `predicate` selects, and lets go of what they paused; returns their
    /// number.
    @discardableResult package func remove(
        in workspace: String, where predicate: @Sendable (TrafficRule) -> Bool = { _ in true }
    ) async throws -> Int {
        let removed = list(in: workspace).filter(predicate)
        guard !removed.isEmpty else { return 0 }
        let ids = removed.map(\.id)
        try await database.write { connection in try RuleTable.delete(ids, connection) }
        update { state in state.rules[workspace]?.removeAll { ids.contains($0.id) } }
        release { ids.contains($0.rule.id) }
        for rule in removed { publishChange(rule, "deleted") }
        return removed.count
    }

    /// Removes all rules of a workspace that is reset or deleted, and lets go of what they paused.
    package func clear(workspace: String) async throws {
        update { $0.rules[workspace] = nil }
        release { $0.workspace == workspace }
        try await database.write { connection in
            try connection.run("DELETE FROM rules WHERE workspace = ?", [.text(workspace)])
        }
    }

    /// Every workspace that has a rule.
    package func workspaces() -> Set<String> { state.withLock { Set($0.rules.keys) } }

    /// Lets go of all paused exchanges, and pauses no others.
    package func close() {
        for waiter in state.withLock({ $0.pauses.close() }) { waiter.resume(returning: .released) }
    }

    // MARK: Changes

    private func save(_ rules: [TrafficRule], _ change: String, subject: String? = nil) async throws
    {
        let sealer = sealer
        try await database.write { connection in
            for rule in rules { try RuleTable.save(rule, sealer, connection) }
        }
        update { state in
            for rule in rules {
                var list = (state.rules[rule.workspace] ?? []).filter { $0.id != rule.id }
                list.append(rule)
                state.rules[rule.workspace] = list.sorted { $0.position < $1.position }
            }
        }
        let off = Set(rules.filter { !$0.draft.isOn }.map(\.id))
        if !off.isEmpty { release { off.contains($0.rule.id) } }
        guard let rule = rules.first(where: { $0.id == subject ?? $0.id }) else { return }
        publishChange(rule, change)
    }

    /// Stores the count under the lock, so that no older count is stored last.
    private func update(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            let count = state.rules.values.reduce(0) { $0 + $1.count { $0.draft.isOn } }
            activeCount.store(count, ordering: .releasing)
        }
    }

    private func release(where predicate: (PausedExchange) -> Bool) {
        let released = state.withLock { $0.pauses.release(where: predicate) }
        for waiter in released { waiter.resume(returning: .released) }
    }

    private func publishChange(_ rule: TrafficRule, _ change: String) {
        hub.publish(
            Event(
                workspace: rule.workspace, kind: .ruleChanged, app: rule.draft.match.app,
                device: rule.draft.match.device, subject: rule.id, title: "Rule \(change)",
                details: ["kind": rule.kind.rawValue, "change": change]))
    }

    private static func requireRoom(for draft: TrafficRule.Draft, beside others: [TrafficRule])
        throws(Problem)
    {
        let size = others.reduce(draft.response?.body.count ?? 0) {
            $0 + ($1.draft.response?.body.count ?? 0)
        }
        guard size <= maxResponseBytes else { throw .rulesTooLarge }
    }
}

extension Problem {
    fileprivate static let tooManyRules = Problem(
        status: 409, code: "too-many-rules", title: "Too many rules",
        detail: "A workspace can have \(RuleStore.maxPerWorkspace). Delete some first.",
        apiHint: "DELETE /api/rules deletes all.")

    fileprivate static let rulesTooLarge = Problem(
        status: 409, code: "rules-too-large", title: "Too many response bodies",
        detail: "The responses of a workspace's rules have at most "
            + "\(RuleStore.maxResponseBytes >> 20) MiB together. Delete some first.")
}
