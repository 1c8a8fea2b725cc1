import Core
import SQLite
import Synchronization

/// What befalls an exchange: taken under one lock, so that nobody can slip
/// between a look and a strike.
extension FaultStore {
    /// The kinds that could strike this exchange.
    func possibleKinds(for exchangeContext: ExchangeContext) -> Set<Fault.Kind> {
        state.withLock { state in
            Set(
                (state.active[exchangeContext.workspace] ?? []).filter {
                    $0.applies(to: exchangeContext)
                }.map(\.kind))
        }
    }

    /// Whether something could strike this exchange that has to know more
    /// than that it is about to leave: a token in it, or its answer.
    func requiresBuffering(for exchangeContext: ExchangeContext) -> Bool {
        state.withLock { state in
            (state.active[exchangeContext.workspace] ?? []).contains {
                $0.applies(to: exchangeContext)
                    && ($0.kind.layer != .network || $0.draft.phase == .after)
            }
        }
    }

    /// Takes what strikes an exchange of which only `kinds` are possible.
    ///
    /// In the order of making, each kind at most once; the first that ends
    /// the exchange before anything is sent is the last to strike; a wait as
    /// long as the call's `timeout` ends it too.
    func makePlan(
        _ exchangeContext: ExchangeContext, affecting: Fault.AffectedExchange,
        kinds: Set<Fault.Kind>,
        timeout: Duration
    ) -> FaultPlan {
        var strike = FaultPlan()
        let ticket = world.makeID("tkt")
        updateState { state in
            var struck: Set<Fault.Kind> = []
            var isOver = false
            let ids = (state.active[exchangeContext.workspace] ?? []).filter {
                $0.applies(to: exchangeContext) && kinds.contains($0.kind)
            }.map { ($0.id, $0.kind, $0.draft.phase) }
            for (id, kind, phase) in ids where !struck.contains(kind) {
                guard kind.layer != .backend else {
                    strike.ticket = ticket
                    continue
                }
                // One answer is given, and one lost.
                if phase == .after, kind.endsExchange,
                    strike.after.contains(where: { $0.fault.kind.endsExchange })
                {
                    continue
                }
                guard let applied = state.apply(id, exchangeContext.workspace, affecting) else {
                    continue
                }
                struck.insert(kind)
                if phase == .after {
                    strike.after.append(applied)
                } else if kind.endsExchange {
                    strike.terminal = applied
                    isOver = true
                } else {
                    strike.before.append(applied)
                    isOver = kind == .slow && applied.fault.draft.delayDuration >= timeout
                }
                if isOver { break }
            }
            if isOver {
                // Nothing is sent, so nothing else can befall it.
                for applied in strike.after { state.revert(applied) }
                strike.after = []
                strike.ticket = nil
            }
            if let ticket = strike.ticket {
                state.tickets[ticket] = Ticket(context: exchangeContext, exchange: affecting)
            }
        }
        if strike.terminal != nil || !strike.before.isEmpty {
            waiters.notify(exchangeContext.workspace)
        }
        return strike
    }

    /// Asked by the embedded backend while it works: whether a condition of
    /// `kind` befalls the exchange with this ticket. Once it did, it does.
    package func applyFault(_ kind: Fault.Kind, ticket: String) -> Fault? {
        var found: Fault?
        updateState { state in
            guard let held = state.tickets[ticket] else { return }
            if let applied = held.appliedFaults.first(where: { $0.fault.kind == kind }) {
                found = applied.fault
                return
            }
            let workspace = held.context.workspace
            let id = state.active[workspace]?.first {
                $0.kind == kind && $0.applies(to: held.context)
            }?
            .id
            guard let id, let applied = state.apply(id, workspace, held.exchange) else { return }
            state.tickets[ticket]?.appliedFaults.append(applied)
            found = applied.fault
        }
        return found
    }

    /// What befell the exchange on the embedded backend; the ticket is void.
    func closeTicket(_ ticket: String) -> [AppliedFault] {
        state.withLock { $0.tickets.removeValue(forKey: ticket)?.appliedFaults ?? [] }
    }

    /// Keeps the count, so that a restart strikes no oftener.
    func saveCounts(_ blows: [AppliedFault]) async {
        guard !blows.isEmpty else { return }
        do {
            try await database.write { connection in
                for applied in blows { try FaultTable.saveApplication(applied, connection) }
            }
        } catch { world.log("conditions: a count could not be kept: \(error)") }
    }
}

extension FaultStore.State {
    /// Counts a strike; a condition that is used up goes.
    fileprivate mutating func apply(
        _ id: String, _ workspace: String, _ use: Fault.AffectedExchange
    ) -> AppliedFault? {
        guard let index = active[workspace]?.firstIndex(where: { $0.id == id }),
            var fault = active[workspace]?[index]
        else { return nil }
        let previous = fault.lastAffected
        fault.appliedCount += 1
        fault.lastAffected = use
        if fault.remaining == 0 {
            active[workspace]?.remove(at: index)
        } else {
            active[workspace]?[index] = fault
        }
        return AppliedFault(fault: fault, previousAffected: previous)
    }

    /// Takes a strike back that did not happen.
    fileprivate mutating func revert(_ applied: AppliedFault) {
        var fault = applied.fault
        fault.appliedCount -= 1
        fault.lastAffected = applied.previousAffected
        let workspace = fault.workspace
        var all = (active[workspace] ?? []).filter { $0.id != fault.id }
        all.append(fault)
        active[workspace] = all.sorted { $0.sequence < $1.sequence }
    }
}
