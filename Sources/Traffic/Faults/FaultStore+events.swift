import Core

/// Timeline events about faults.
extension FaultStore {
    /// Publishes one event per applied fault; `eventID` is the event of the affected exchange.
    func publishApplied(
        _ appliedFaults: [AppliedFault], of exchange: String, as exchangeContext: ExchangeContext,
        eventID: Int64
    ) {
        for applied in appliedFaults {
            let fault = applied.fault
            hub.publish(
                EventDraft(
                    workspace: exchangeContext.workspace, kind: .faultApplied,
                    app: exchangeContext.app, device: exchangeContext.device, cause: eventID,
                    subject: fault.id, title: applied.label,
                    details: eventDetails(fault).merging(["exchange": exchange]) { $1 }))
            if applied.isLast { publishChange(fault, "exhausted") }
        }
    }

    func publishChange(_ fault: Fault, _ change: String) {
        hub.publish(
            EventDraft(
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
