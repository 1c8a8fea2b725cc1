import Surroundings

/// What the timeline hears of conditions.
extension Conditions {
    /// Tells of strikes once their exchange's event is there.
    func tell(_ blows: [Blow], of exchange: String, as context: ExchangeContext, event: Int64) {
        for blow in blows {
            let condition = blow.condition
            hub.publish(
                EventDraft(
                    workspace: context.workspace, kind: .conditionApplied, app: context.app,
                    device: context.device, cause: event, subject: condition.id,
                    title: condition.stamp(blow.number),
                    facts: facts(condition).merging(["exchange": exchange]) { $1 }))
            if blow.isLast { tell(condition, "used up") }
        }
    }

    func tell(_ condition: Condition, _ change: String) {
        hub.publish(
            EventDraft(
                workspace: condition.workspace, kind: .conditionChanged, app: condition.draft.app,
                device: condition.draft.device, subject: condition.id,
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
