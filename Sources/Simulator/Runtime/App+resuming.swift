import Apps
import Web

extension TransientAppState.ResumableAction {
    /// The calls of `action` that succeeded in its last attempt.
    func completedCalls(by action: Action, on screen: Screen) -> [String: CompletedCall] {
        guard self.screen == screen.id, self.action == action.name else { return [:] }
        return calls
    }
}

extension App {
    /// The earlier result of a call and the calls to perform now. These are none or replacements if
    /// it was completed before with fields that still apply, else the call itself.
    func resumePlan(
        _ name: String, _ completed: TransientAppState.ResumableAction.CompletedCall?,
        _ action: Action,
        _ input: FormInput,
        backend: String
    ) -> (before: TransientAppState.ResumableAction.CompletedCall, instead: [String]) {
        guard let completed, let resume = action.resumeRules[name],
            let replacements = resume.replacementCalls(before: completed.fields, now: input.values),
            // A replacement is impossible if the backend lacks one of its calls.
            !replacements.contains(where: { isCallMissing($0, backend: backend) })
        else { return (TransientAppState.ResumableAction.CompletedCall(), [name]) }
        return (completed, replacements)
    }
}

extension App {
    /// The key of `text` in a memory that has one value per value of `field`.
    func memoryKey(_ text: String, of field: String) -> String {
        screens.lazy.flatMap(\.fields).first { $0.name == field }?.identityKey(text) ?? text
    }
}
