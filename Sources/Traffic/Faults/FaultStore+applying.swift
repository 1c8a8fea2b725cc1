import Core
import SQLite
import Synchronization

/// Choosing and counting faults for an exchange. Each choice and its count happen under one lock,
/// so that concurrent calls cannot exceed a fault's count.
extension FaultStore {
    /// The kinds of active faults whose scope matches this exchange.
    func possibleKinds(for exchangeContext: ExchangeContext) -> Set<Fault.Kind> {
        state.withLock { state in
            Set(
                (state.active[exchangeContext.workspace] ?? []).filter {
                    $0.applies(to: exchangeContext)
                }.map(\.kind))
        }
    }

    /// Whether a matching fault needs more than the start of the request: a token in it, or the
    /// response.
    func requiresBuffering(for exchangeContext: ExchangeContext) -> Bool {
        state.withLock { state in
            (state.active[exchangeContext.workspace] ?? []).contains {
                $0.applies(to: exchangeContext)
                    && ($0.kind.layer != .network || $0.draft.phase == .after)
            }
        }
    }

    /// Chooses the faults for an exchange, limited to `kinds`, and counts them.
    ///
    /// Faults apply in order of creation, each kind at most once. The first one that ends the
    /// exchange before anything is sent is the last one chosen; a delay of at least `timeout` ends
    /// it too.
    func makePlan(
        _ exchangeContext: ExchangeContext, affecting: Fault.AffectedExchange,
        kinds: Set<Fault.Kind>, timeout: Duration
    ) -> FaultPlan {
        var plan = FaultPlan()
        let ticket = world.makeID("tkt")
        updateState { state in
            var appliedKinds: Set<Fault.Kind> = []
            var isTerminated = false
            let ids = (state.active[exchangeContext.workspace] ?? []).filter {
                $0.applies(to: exchangeContext) && kinds.contains($0.kind)
            }.map { ($0.id, $0.kind, $0.draft.phase) }
            for (id, kind, phase) in ids where !appliedKinds.contains(kind) {
                guard kind.layer != .backend else {
                    plan.ticket = ticket
                    continue
                }
                // The response is replaced or lost only once.
                if phase == .after, kind.endsExchange,
                    plan.after.contains(where: { $0.fault.kind.endsExchange })
                {
                    continue
                }
                guard let applied = state.apply(id, exchangeContext.workspace, affecting) else {
                    continue
                }
                appliedKinds.insert(kind)
                if phase == .after {
                    plan.after.append(applied)
                } else if kind.endsExchange {
                    plan.terminal = applied
                    isTerminated = true
                } else {
                    plan.before.append(applied)
                    isTerminated = kind == .slow && applied.fault.draft.delayDuration >= timeout
                }
                if isTerminated { break }
            }
            if isTerminated {
                // Nothing is sent, so no later fault can apply.
                for applied in plan.after { state.revert(applied) }
                plan.after = []
                plan.ticket = nil
            }
            if let ticket = plan.ticket {
                state.tickets[ticket] = Ticket(context: exchangeContext, exchange: affecting)
            }
        }
        if plan.terminal != nil || !plan.before.isEmpty {
            notifyWaiters(in: exchangeContext.workspace)
        }
        return plan
    }

    /// Queried by the embedded backend while it processes a request: whether a fault of `kind`
    /// applies to the exchange with this ticket. After the first application, further queries
    /// return the same fault.
    package func applyFault(_ kind: Fault.Kind, ticket: String) -> Fault? {
        var result: Fault?
        updateState { state in
            guard let openTicket = state.tickets[ticket] else { return }
            if let applied = openTicket.appliedFaults.first(where: { $0.fault.kind == kind }) {
                result = applied.fault
                return
            }
            let workspace = openTicket.context.workspace
            let id = state.active[workspace]?.first {
                $0.kind == kind && $0.applies(to: openTicket.context)
            }?.id
            guard let id, let applied = state.apply(id, workspace, openTicket.exchange) else {
                return
            }
            state.tickets[ticket]?.appliedFaults.append(applied)
            result = applied.fault
        }
        return result
    }

    /// Invalidates the ticket and returns the faults that the embedded backend applied under it.
    func closeTicket(_ ticket: String) -> [AppliedFault] {
        state.withLock { $0.tickets.removeValue(forKey: ticket)?.appliedFaults ?? [] }
    }

    /// Stores the counts, so that a restart does not apply a fault more often.
    func saveCounts(_ appliedFaults: [AppliedFault]) async {
        guard !appliedFaults.isEmpty else { return }
        do {
            try await database.write { connection in
                for applied in appliedFaults { try FaultTable.saveApplication(applied, connection) }
            }
        } catch { world.log("faults: a count could not be stored: \(error)") }
    }
}

extension FaultStore.State {
    /// Counts one application; removes a fault that is used up.
    fileprivate mutating func apply(
        _ id: String, _ workspace: String, _ affected: Fault.AffectedExchange
    ) -> AppliedFault? {
        guard let index = active[workspace]?.firstIndex(where: { $0.id == id }),
            var fault = active[workspace]?[index]
        else { return nil }
        let previous = fault.lastAffected
        fault.appliedCount += 1
        fault.lastAffected = affected
        if fault.remaining == 0 {
            active[workspace]?.remove(at: index)
        } else {
            active[workspace]?[index] = fault
        }
        return AppliedFault(fault: fault, previousAffected: previous)
    }

    /// Reverts an application that did not take effect.
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
