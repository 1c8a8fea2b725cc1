/// A user's action on a screen.
package struct Action: Sendable, Equatable {
    /// `submit` for the form's own action.
    package var name: String
    /// May contain `{device.biometrics}`: Face ID or Touch ID.
    package var label: String
    /// The screen reader's hint: `Double tap to login`.
    package var hint: String?
    /// `destructive`, `cancel`, `secondary` …, for styling.
    package var role: String?
    package var enabledRule: EnabledRule
    package var confirmation: Confirmation?
    /// The fields whose rules this action checks; nil means all fields for `submit` and none for
    /// other actions.
    package var checkedFields: [String]?
    /// In order; stops at the first failure of a call that is not best effort.
    package var calls: [String]
    /// Captured names (and constants) to store after success.
    package var namesToStore: [String]
    /// Storage areas to clear after success.
    package var areasToClear: [StorageKey.Area]
    /// Storage keys to delete after success, even keys that survive clearing their area.
    package var keysToClear: [String]
    /// The screen after success. nil stays on the screen; the launch screen runs the launch table
    /// again.
    package var destination: String?
    /// Rules evaluated before `destination`; the first that matches wins. They distinguish, for
    /// example, a registration that returns `session: null`.
    package var navigationRules: [NavigationRule]
    package var toast: String?
    /// Shown below the form after success, until the screen is left.
    package var notice: String?
    /// A dialog after success; its button leads to `destination`.
    package var alert: Alert?
    /// The toast and the navigation happen even if a call failed.
    package var ignoresCallFailures: Bool
    package var onFailure: FailureHandling
    /// Shown only on a matching device: `build: debug`, `biometrics: enrolled`.
    package var deviceRequirements: [String: String]
    /// Shown and focusable, without effect.
    package var isInert: Bool
    /// Asks the biometric sensor first; without a match nothing happens.
    package var biometricCheck: BiometricCheck?
    /// Opens screens that need a session without one, until the next cold start: a developer's
    /// shortcut.
    package var bypassesSession: Bool
    /// By call: when it is not repeated after it succeeded and a later one failed. An account
    /// created by the first of three calls is not created twice.
    package var resumeRules: [String: ResumeRule]

    /// Every call it can make.
    package var allCalls: [String] {
        calls + resumeRules.values.flatMap(\.callsOnChange.values).sorted()
    }

    /// The name of the form's own action.
    package static let submitName = "submit"
    /// The form's name in requests that validate while the user types.
    package static let checkName = "check"

    package enum EnabledRule: Sendable, Equatable {
        case always
        /// All fields of the screen pass their rules.
        case valid
        /// The named fields are not empty.
        case filled([String])
    }

    package struct Confirmation: Sendable, Equatable {
        package var title: String?
        package var text: String
        package var confirmLabel: String
        package var cancelLabel: String
    }

    package struct NavigationRule: Sendable, Equatable {
        package var requiredNames: [String]
        package var absentNames: [String]
        /// Required values by name: `emailVerified: 'true'`.
        package var `expectedValues`: [String: String]
        package var destination: String
        /// Shown instead of the action's `notice`.
        package var notice: String?
    }

    package struct Alert: Sendable, Equatable {
        package var title: String?
        package var text: String
        package var buttonLabel: String
    }

    package struct BiometricCheck: Sendable, Equatable {
        /// Shown in the sensor's prompt.
        package var reason: String
        /// Shown when the sensor does not match.
        package var failureMessage: String
        /// The storage key whose fields a match provides to the calls.
        package var storageKey: String?
        /// Shown when that key holds nothing.
        package var missingMessage: String?
    }

    package struct FailureHandling: Sendable, Equatable {
        /// Fields cleared when the action fails.
        package var fieldsToClear: [String]
        /// Where the failure is shown.
        package var presentation: Presentation
        package var title: String?
        /// Shown instead of the failure's message, which it can include: `Sign in failed:
        /// {message}`.
        package var text: String?

        package enum Presentation: String, Sendable, CaseIterable { case inline, alert }
    }
}

extension Action {
    /// When a call that already succeeded is not repeated.
    package struct ResumeRule: Sendable, Equatable {
        /// The call is skipped while these fields keep their values.
        package var unchangedFields: [String]
        /// Calls made instead when a field has changed, by field: an account created before gets
        /// another password.
        package var callsOnChange: [String: String]

        package init(unchangedFields: [String], callsOnChange: [String: String] = [:]) {
            self.unchangedFields = unchangedFields
            self.callsOnChange = callsOnChange
        }

        /// The part of `values` that the rule depends on.
        package func decidingValues(_ values: [String: String]) -> [String: String] {
            values.filter { unchangedFields.contains($0.key) || callsOnChange[$0.key] != nil }
        }

        /// The calls to make instead of the one made with `before`; nil if it must be repeated.
        package func replacementCalls(before: [String: String], now: [String: String]) -> [String]?
        {
            guard unchangedFields.allSatisfy({ before[$0] == now[$0] }) else { return nil }
            let names = callsOnChange.filter { before[$0.key] != now[$0.key] }
            return Set(names.values).sorted()
        }
    }
}
