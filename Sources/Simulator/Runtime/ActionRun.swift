package import Apps
import Traffic
import Web

/// One run of calls: its app instance, its initiator, and its captured values so far.
struct ActionRun: Sendable {
    let instance: AppInstance
    let app: App
    /// The app launch that started it.
    let launchID: Int
    let initiator: ExchangeContext.Cause
    /// The event that started it.
    let startEvent: Int64?
    /// The submitted fields by name, normalized.
    var fields: [String: JSON] = [:]
    /// Values that must not be stored in any form.
    var passwords: [String] = []
    /// Whether the app is killed when its first request is sent.
    var isKillPending = false
    /// The calls that succeeded.
    var completedCalls: Set<String> = []
    /// Values that its calls captured.
    var captured: [String: JSON] = [:]
    /// Values that its calls leave in memory.
    var rememberedValues: [(name: String, key: String, value: JSON)] = []
    /// The last exchange, with its event.
    var lastExchange: String?
    var lastEvent: Int64?

    /// The cause of further events.
    var causeEvent: Int64? { lastEvent ?? startEvent }

    enum CallResult: Sendable {
        case success([String: JSON])
        case failure(CallFailure)
        /// The session could not be refreshed; its expiry rules were applied.
        case sessionExpired
    }
}

/// The result of an action or a launch.
package struct ActionResult: Sendable, Equatable {
    /// The screen to show now, with its errors, toast and values.
    package var screen: String
    package var succeeded: Bool
    /// The manifest's failure row that a failed call's response matched, if any.
    package var matchedFailure: Call.Failure?

    package init(screen: String, succeeded: Bool, matchedFailure: Call.Failure? = nil) {
        self.screen = screen
        self.succeeded = succeeded
        self.matchedFailure = matchedFailure
    }

    /// Ignores `matchedFailure`: it is the reason, not the result.
    package static func == (lhs: ActionResult, rhs: ActionResult) -> Bool {
        lhs.screen == rhs.screen && lhs.succeeded == rhs.succeeded
    }
}

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
        _ action: Action, _ input: FormInput, backend: String
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

/// The values submitted for a screen's fields.
struct FormInput: Sendable {
    /// Unmodified, of the screen's own fields only.
    let values: [String: String]
    /// Values that must not be stored in any form.
    let passwords: [String]
    /// All but passwords.
    let nonSecretValues: [String: String]

    /// `previousValues` are used if the form contains none of the fields: a button in its own form,
    /// or a dialog over the screen, sends none.
    init(
        _ form: [String: String], of action: Action, on screen: Screen,
        _ previousValues: [String: String]
    ) {
        let isSent =
            action.name == Action.submitName || screen.fields.contains { form[$0.name] != nil }
        let form = isSent ? form : previousValues
        var values: [String: String] = [:]
        var passwords: [String] = []
        var nonSecretValues: [String: String] = [:]
        for field in screen.fields {
            let value = form[field.name] ?? ""
            values[field.name] = value
            guard field.type == .password else {
                nonSecretValues[field.name] = value
                continue
            }
            for password in [value, field.normalized(value)]
            where !password.isEmpty && !passwords.contains(password) { passwords.append(password) }
        }
        self.values = values
        self.passwords = passwords
        self.nonSecretValues = nonSecretValues
    }
}
