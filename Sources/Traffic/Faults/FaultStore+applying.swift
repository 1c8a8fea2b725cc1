import Core
import SQLite
import Synchronization

/// Choosing and counting faults for an exchange. Each choice and its count happen under one lock,
/// so that concurrent calls cannot exceed a fault's count.
extension FaultStore {
    /// The kinds of active faults whose scope matches this exchange.
    func possibleKinds(for context: ExchangeContext) -> Set<Fault.Kind> {
        state.withLock { state in Set(state.faults(for: context).map(\.kind)) }
    }

    /// Whether a matching fault needs more than the start of the request: a token in it, or the
    /// response.
    func requiresBuffering(for context: ExchangeContext) -> Bool {
        state.withLock { state in
            state.faults(for: context).contains {
                $0.kind.layer != .network || $0.draft.phase == .after
            }
        }
    }

    /// Chooses the faults for an exchange, limited to `kinds`, and counts them.
    ///
    /// Faults apply in order of creation, each kind at most once. The first one that ends the
    /// exchange before anything is sent is the last one chosen; a delay of at least `timeout` ends
    /// it too.
    func makePlan(
        _ context: ExchangeContext, affecting: Fault.AffectedExchange, kinds: Set<Fault.Kind>,
        timeout: Duration
    ) -> FaultPlan {
        var plan = FaultPlan()
        let ticket = world.makeID("tkt")
        updateState { state in
            var appliedKinds: Set<Fault.Kind> = []
            var isTerminated = false
            for fault in state.faults(for: context)
            where kinds.contains(fault.kind) && !appliedKinds.contains(fault.kind) {
                let (kind, phase) = (fault.kind, fault.draft.phase)
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
                let applied = state.apply(fault, affecting)
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
                state.tickets[ticket] = Ticket(context: context, exchange: affecting)
            }
        }
        if plan.terminal != nil || !plan.before.isEmpty { waiters.notify(of: context.workspace) }
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
            let fault = state.faults(for: openTicket.context).first { $0.kind == kind }
            guard let fault else { return }
            let applied = state.apply(fault, openTicket.exchange)
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

    // MARK: Events

    /// Publishes one event per applied fault; `eventID` is the event of the affected exchange.
    func publishApplied(
        _ appliedFaults: [AppliedFault], of exchange: String, as context: ExchangeContext,
        eventID: Int64
    ) {
        for applied in appliedFaults {
            let fault = applied.fault
            hub.publish(
                Event(
                    workspace: context.workspace, kind: .faultApplied, app: context.app,
                    device: context.device, cause: eventID, subject: fault.id, title: applied.label,
                    details: eventDetails(fault).merging(["exchange": exchange]) { $1 }))
            if applied.isLast { publishChange(fault, "exhausted") }
        }
    }

    func publishChange(_ fault: Fault, _ change: String) {
        hub.publish(
            Event(
                workspace: fault.workspace, kind: .faultChanged, app: fault.draft.app,
                device: fault.draft.device, subject: fault.id,
                title: "Fault \(fault.draft.displayName) \(change)",
                details: eventDetails(fault).merging(["change": change]) { $1 }))
    }

    private func eventDetails(_ fault: Fault) -> [String: String] {
        var details = [
            "kind": fault.kind.rawValue, "name": fault.draft.displayName,
            "applied": String(fault.appliedCount),
        ]
        details["times"] = fault.draft.times.map(String.init)
        details["preset"] = fault.presetID
        return details
    }
}

extension FaultStore.State {
    /// The active faults whose scope matches this exchange, in order of creation.
    fileprivate func faults(for context: ExchangeContext) -> [Fault] {
        (active[context.workspace] ?? []).filter { $0.applies(to: context) }
    }

    /// Counts one application of an active fault; removes a fault that is used up.
    fileprivate mutating func apply(_ active: Fault, _ affected: Fault.AffectedExchange)
        -> AppliedFault
    {
        var fault = active
        fault.appliedCount += 1
        fault.lastAffected = affected
        replace(fault)
        return AppliedFault(fault: fault, previousAffected: active.lastAffected)
    }

    /// Stores the new state of a fault unless it is used up.
    private mutating func replace(_ fault: Fault) {
        var faults = (active[fault.workspace] ?? []).filter { $0.id != fault.id }
        if fault.remaining != 0 { faults.append(fault) }
        active[fault.workspace] = faults.sorted { $0.sequence < $1.sequence }
    }

    /// Reverts an application that did not take effect.
    fileprivate mutating func revert(_ applied: AppliedFault) {
        var fault = applied.fault
        fault.appliedCount -= 1
        fault.lastAffected = applied.previousAffected
        replace(fault)
    }
}
