import Apps
import Web

extension TransientAppState.ResumableAction {
    /// The calls of `action` that succeeded when it was tried last.
    func completedCalls(by action: Action, on screen: Screen) -> [String: CompletedCall] {
        guard self.screen == screen.id, self.action == action.name else { return [:] }
        return calls
    }
}

extension App {
    /// What is left of a call that was `made` before, and what is to be made
    /// now: it alone if it never was, or a field that counts has another
    /// value.
    func resumePlan(
        _ name: String, _ made: TransientAppState.ResumableAction.CompletedCall?, _ action: Action,
        _ typed: FormInput,
        backend: String
    ) -> (before: TransientAppState.ResumableAction.CompletedCall, instead: [String]) {
        guard let made, let resume = action.resumeRules[name],
            let instead = resume.replacementCalls(before: made.fields, now: typed.values),
            // Nor can it be mended where the backend has no call for that.
            !instead.contains(where: { isCallMissing($0, backend: backend) })
        else { return (TransientAppState.ResumableAction.CompletedCall(), [name]) }
        return (made, instead)
    }
}
