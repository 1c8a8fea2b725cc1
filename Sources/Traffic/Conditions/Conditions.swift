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
    private let database: Database
    private let world: World
    private let hub: EventHub
    private let state: Mutex<State>
    private let count: Atomic<Int>

    fileprivate struct State {
        /// By workspace, in the order of making.
        var active: [String: [Condition]] = [:]
        /// Exchanges the embedded backend works on now, by ticket.
        var tickets: [String: Ticket] = [:]
        var sequence: Int64 = 0
    }

    fileprivate struct Ticket {
        let context: ExchangeContext
        let use: Condition.Use
        var blows: [Blow] = []
    }

    /// So many of a workspace at once.
    package static let most = 100

    /// Reads what an earlier run of the process left.
    package init(
        database: Database, world: World, hub: EventHub
    ) async throws {
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
    package func add(
        _ drafts: [Condition.Draft], in workspace: String,
        set: String? = nil
    ) async throws -> [Condition] {
        let now = world.now()
        let ids = drafts.map { _ in world.identifier("cnd") }
        let made = try state.withLock { state in
            guard
                (state.active[workspace]?.count ?? 0) + drafts.count
                    <= Self.most
            else { throw Problem.tooManyConditions }
            return zip(ids, drafts).map { id, draft in
                state.sequence += 1
                return Condition(
                    id: id, sequence: state.sequence,
                    workspace: workspace, draft: draft, set: set, used: 0,
                    madeAt: now)
            }
        }
        try await database.write { connection in
            for condition in made {
                try ConditionTable.insert(condition, connection)
            }
        }
        change { state in
            state.active[workspace, default: []] += made
            state.active[workspace]?.sort { $0.sequence < $1.sequence }
        }
        for condition in made { tell(condition, "added") }
        return made
    }

    /// Ends those that `which` picks; answers how many there were.
    @discardableResult
    package func end(
        in workspace: String,
        where which: @Sendable (Condition) -> Bool = { _ in true }
    ) async throws -> Int {
        let ended = list(in: workspace).filter(which)
        guard !ended.isEmpty else { return 0 }
        let ids = ended.map(\.id)
        try await database.write { connection in
            try ConditionTable.delete(ids, connection)
        }
        change { $0.active[workspace]?.removeAll { ids.contains($0.id) } }
        for condition in ended { tell(condition, "ended") }
        return ended.count
    }

    /// An emptied or dropped workspace has none.
    package func forget(workspace: String) async throws {
        try await database.write { connection in
            try ConditionTable.forget(workspace, connection)
        }
        change { $0.active[workspace] = nil }
    }

    /// Every workspace that has a condition.
    package func workspaces() -> Set<String> {
        state.withLock { Set($0.active.keys) }
    }

    private func change(_ body: (inout State) -> Void) {
        let left = state.withLock { state in
            body(&state)
            return state.active.values.reduce(0) { $0 + $1.count }
        }
        count.store(left, ordering: .releasing)
    }

    // MARK: Striking

    /// Whether there is none at all.
    var isIdle: Bool { count.load(ordering: .acquiring) == 0 }

    /// The kinds that could strike this exchange.
    func kinds(about context: ExchangeContext) -> Set<Condition.Kind> {
        state.withLock { state in
            Set(
                (state.active[context.workspace] ?? [])
                    .filter { $0.isAbout(context) }.map(\.kind))
        }
    }

    /// Whether something could strike this exchange that has to know more
    /// than that it is about to leave: a token in it, or its answer.
    func wantAnswer(about context: ExchangeContext) -> Bool {
        state.withLock { state in
            (state.active[context.workspace] ?? []).contains {
                $0.isAbout(context)
                    && ($0.kind.side != .wire || $0.draft.phase == .after)
            }
        }
    }

    /// Takes what strikes an exchange of which only `kinds` are possible.
    ///
    /// In the order of making, each kind at most once; the first that ends
    /// the exchange before anything is sent is the last to strike; a wait as
    /// long as the call's `timeout` ends it too.
    func strike(
        _ context: ExchangeContext, use: Condition.Use,
        kinds: Set<Condition.Kind>, timeout: Duration,
        phases: Set<Condition.Phase> = [.before, .after]
    ) -> Strike {
        var strike = Strike()
        let ticket = world.identifier("tkt")
        change { state in
            var struck: Set<Condition.Kind> = []
            var isOver = false
            let ids = (state.active[context.workspace] ?? [])
                .filter {
                    $0.isAbout(context) && kinds.contains($0.kind)
                        && phases.contains($0.draft.phase)
                }.map { ($0.id, $0.kind, $0.draft.phase) }
            for (id, kind, phase) in ids where !struck.contains(kind) {
                guard kind.side != .backend else {
                    strike.ticket = ticket
                    continue
                }
                // One answer is given, and one lost.
                if phase == .after, kind.ends,
                    strike.after.contains(where: { $0.condition.kind.ends })
                {
                    continue
                }
                guard let blow = state.use(id, context.workspace, use)
                else { continue }
                struck.insert(kind)
                if phase == .after {
                    strike.after.append(blow)
                } else if kind.ends {
                    strike.ending = blow
                    isOver = true
                } else {
                    strike.before.append(blow)
                    isOver = kind == .slow
                        && blow.condition.draft.wait >= timeout
                }
                if isOver { break }
            }
            if isOver {
                // Nothing is sent, so nothing else can befall it.
                for blow in strike.after { state.giveBack(blow) }
                strike.after = []
                strike.ticket = nil
            }
            if let ticket = strike.ticket {
                state.tickets[ticket] = Ticket(context: context, use: use)
            }
        }
        return strike
    }

    /// Asked by the embedded backend while it works: whether a condition of
    /// `kind` befalls the exchange with this ticket. Once it did, it does.
    package func befalls(
        _ kind: Condition.Kind, ticket: String
    ) -> Condition? {
        var found: Condition?
        change { state in
            guard let held = state.tickets[ticket] else { return }
            if let blow = held.blows.first(where: {
                $0.condition.kind == kind
            }) {
                found = blow.condition
                return
            }
            let workspace = held.context.workspace
            let id = state.active[workspace]?.first {
                $0.kind == kind && $0.isAbout(held.context)
            }?.id
            guard let id, let blow = state.use(id, workspace, held.use)
            else { return }
            state.tickets[ticket]?.blows.append(blow)
            found = blow.condition
        }
        return found
    }

    /// What befell the exchange on the embedded backend; the ticket is void.
    func close(ticket: String) -> [Blow] {
        state.withLock { $0.tickets.removeValue(forKey: ticket)?.blows ?? [] }
    }

    /// Keeps the count, so that a restart strikes no oftener.
    func keep(_ blows: [Blow]) async {
        guard !blows.isEmpty else { return }
        do {
            try await database.write { connection in
                for blow in blows {
                    try ConditionTable.note(blow, connection)
                }
            }
        } catch {
            world.log("conditions: a count could not be kept: \(error)")
        }
    }

    // MARK: Telling

    /// Tells of strikes once their exchange's event is there.
    func tell(
        _ blows: [Blow], of exchange: String, as context: ExchangeContext,
        event: Int64
    ) {
        for blow in blows {
            let condition = blow.condition
            hub.publish(
                EventDraft(
                    workspace: context.workspace, kind: .conditionApplied,
                    app: context.app, device: context.device, cause: event,
                    subject: condition.id,
                    title: condition.stamp(blow.number),
                    facts: facts(condition).merging(
                        ["exchange": exchange]) { $1 }))
            if blow.isLast { tell(condition, "used up") }
        }
    }

    private func tell(_ condition: Condition, _ change: String) {
        hub.publish(
            EventDraft(
                workspace: condition.workspace, kind: .conditionChanged,
                app: condition.draft.app, device: condition.draft.device,
                subject: condition.id,
                title: "Condition \(condition.draft.word) \(change)",
                facts: facts(condition).merging(["change": change]) { $1 }))
    }

    private func facts(_ condition: Condition) -> [String: String] {
        var facts = [
            "kind": condition.kind.rawValue, "word": condition.draft.word,
            "used": String(condition.used),
        ]
        facts["times"] = condition.draft.times.map(String.init)
        facts["set"] = condition.set
        return facts
    }
}

extension Conditions.State {
    /// Counts a strike; a condition that is used up goes.
    fileprivate mutating func use(
        _ id: String, _ workspace: String, _ use: Condition.Use
    ) -> Blow? {
        guard let index = active[workspace]?.firstIndex(where: { $0.id == id }),
            var condition = active[workspace]?[index]
        else { return nil }
        let previous = condition.lastUse
        condition.used += 1
        condition.lastUse = use
        if condition.left == 0 {
            active[workspace]?.remove(at: index)
        } else {
            active[workspace]?[index] = condition
        }
        return Blow(condition: condition, previous: previous)
    }

    /// Takes a strike back that did not happen.
    fileprivate mutating func giveBack(_ blow: Blow) {
        var condition = blow.condition
        condition.used -= 1
        condition.lastUse = blow.previous
        let workspace = condition.workspace
        var all = (active[workspace] ?? []).filter { $0.id != condition.id }
        all.append(condition)
        active[workspace] = all.sorted { $0.sequence < $1.sequence }
    }
}

extension Problem {
    fileprivate static let tooManyConditions = Problem(
        status: 409, code: "too-many-conditions",
        title: "There are too many conditions",
        detail: """
            A workspace holds \(Conditions.most) at once; end some first \
            (DELETE /api/conditions ends all).
            """)
}
