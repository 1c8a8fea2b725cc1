import SQLite
import Surroundings
import Synchronization

/// What befalls an exchange: taken under one lock, so that nobody can slip
/// between a look and a strike.
extension Conditions {
    /// The kinds that could strike this exchange.
    func kinds(about context: ExchangeContext) -> Set<Condition.Kind> {
        state.withLock { state in
            Set((state.active[context.workspace] ?? []).filter { $0.isAbout(context) }.map(\.kind))
        }
    }

    /// Whether something could strike this exchange that has to know more
    /// than that it is about to leave: a token in it, or its answer.
    func wantAnswer(about context: ExchangeContext) -> Bool {
        state.withLock { state in
            (state.active[context.workspace] ?? []).contains {
                $0.isAbout(context) && ($0.kind.side != .wire || $0.draft.phase == .after)
            }
        }
    }

    /// Takes what strikes an exchange of which only `kinds` are possible.
    ///
    /// In the order of making, each kind at most once; the first that ends
    /// the exchange before anything is sent is the last to strike; a wait as
    /// long as the call's `timeout` ends it too.
    func strike(
        _ context: ExchangeContext, use: Condition.Use, kinds: Set<Condition.Kind>,
        timeout: Duration
    ) -> Strike {
        var strike = Strike()
        let ticket = world.identifier("tkt")
        change { state in
            var struck: Set<Condition.Kind> = []
            var isOver = false
            let ids = (state.active[context.workspace] ?? []).filter {
                $0.isAbout(context) && kinds.contains($0.kind)
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
                guard let blow = state.use(id, context.workspace, use) else { continue }
                struck.insert(kind)
                if phase == .after {
                    strike.after.append(blow)
                } else if kind.ends {
                    strike.ending = blow
                    isOver = true
                } else {
                    strike.before.append(blow)
                    isOver = kind == .slow && blow.condition.draft.wait >= timeout
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
        if strike.ending != nil || !strike.before.isEmpty { waiters.tell(context.workspace) }
        return strike
    }

    /// Asked by the embedded backend while it works: whether a condition of
    /// `kind` befalls the exchange with this ticket. Once it did, it does.
    package func befalls(_ kind: Condition.Kind, ticket: String) -> Condition? {
        var found: Condition?
        change { state in
            guard let held = state.tickets[ticket] else { return }
            if let blow = held.blows.first(where: { $0.condition.kind == kind }) {
                found = blow.condition
                return
            }
            let workspace = held.context.workspace
            let id = state.active[workspace]?.first { $0.kind == kind && $0.isAbout(held.context) }?
                .id
            guard let id, let blow = state.use(id, workspace, held.use) else { return }
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
                for blow in blows { try ConditionTable.note(blow, connection) }
            }
        } catch { world.log("conditions: a count could not be kept: \(error)") }
    }
}

extension Conditions.State {
    /// Counts a strike; a condition that is used up goes.
    fileprivate mutating func use(_ id: String, _ workspace: String, _ use: Condition.Use) -> Blow?
    {
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
