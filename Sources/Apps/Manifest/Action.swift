/// Something a person does on a screen.
package struct Action: Sendable, Equatable {
    /// `submit` for the form's own.
    package var name: String
    /// May hold `{device.biometrics}`: Face ID or Touch ID.
    package var label: String
    /// What a screen reader says of it: `Double tap to login`.
    package var hint: String?
    /// `destructive`, `cancel`, `secondary` … for the look.
    package var role: String?
    package var enabledRule: EnabledRule
    package var confirmation: Confirmation?
    /// The fields whose rules this action checks; nil = all of the screen for
    /// `submit`, none for others.
    package var checkedFields: [String]?
    /// In order; stops at the first failure that is not best effort.
    package var calls: [String]
    /// Captured names (and constants) to store after success.
    package var namesToStore: [String]
    /// Areas to empty after success.
    package var areasToClear: [StorageKey.Area]
    /// Storage keys to delete after success, those that survive their area's
    /// emptying among them.
    package var keysToClear: [String]
    /// The screen after success; nil stays, the launch screen runs the launch
    /// table again.
    package var destination: String?
    /// Rows of a small table instead of `go`: the first whose captured names
    /// are all there; `session: null` after register is told by it.
    package var navigationRules: [NavigationRule]
    package var toast: String?
    /// What the screen says after success, below its form, until it is left.
    package var notice: String?
    /// A dialog after success; its button leads to `go`.
    package var alert: Alert?
    /// The toast and `go` come although a call failed.
    package var ignoresCallFailures: Bool
    package var onFailure: FailureHandling
    /// Shown only when the device fits: `build: debug`, `biometrics: enrolled`.
    package var deviceRequirements: [String: String]
    /// Shown, focusable, and does nothing.
    package var isInert: Bool
    /// Asks the sensor first; without a match nothing happens.
    package var biometricCheck: BiometricCheck?
    /// Opens the screens that need a session although there is none, until
    /// the next cold start: a developer's short cut.
    package var bypassesSession: Bool
    /// By call: when it is not made again after it succeeded and a later one
    /// failed. An account made by the first of three calls is not made twice.
    package var resumeRules: [String: ResumeRule]

    /// Every call it may make.
    package var allCalls: [String] {
        calls + resumeRules.values.flatMap(\.callsOnChange.values).sorted()
    }

    /// The form's own action.
    package static let submitName = "submit"
    /// What a form is asked under while somebody types.
    package static let checkName = "check"

    package enum EnabledRule: Sendable, Equatable {
        case always
        /// Every field of the screen passes its rules.
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
        /// Held values that must be these: `emailVerified: 'true'`.
        package var `expectedValues`: [String: String]
        package var destination: String
        /// What the screen says then, instead of the action's `notice`.
        package var notice: String?
    }

    package struct Alert: Sendable, Equatable {
        package var title: String?
        package var text: String
        package var buttonLabel: String
    }

    package struct BiometricCheck: Sendable, Equatable {
        /// Shown by the sensor's prompt.
        package var reason: String
        /// What the user reads when it did not match.
        package var failureMessage: String
        /// The storage key whose fields a match fills in for the calls.
        package var storageKey: String?
        /// What the user reads when that key holds nothing.
        package var missingMessage: String?
    }

    package struct FailureHandling: Sendable, Equatable {
        /// Fields emptied when the action failed.
        package var fieldsToClear: [String]
        /// `inline` or `alert`.
        package var presentation: Presentation
        package var title: String?
        /// What the user reads instead of the failure's own words, which are
        /// `{message}` in it: `Sign in failed: {message}`.
        package var text: String?

        package enum Presentation: String, Sendable, CaseIterable { case inline, alert }
    }
}
