/// Something a person does on a screen.
package struct Action: Sendable, Equatable {
    /// `submit` for the form's own.
    package var name: String
    package var label: String
    /// `destructive`, `cancel`, `secondary` … for the look.
    package var role: String?
    package var enabled: Enabled
    package var confirm: Confirm?
    /// The fields whose rules this action checks; nil = all of the screen for
    /// `submit`, none for others.
    package var checks: [String]?
    /// In order; stops at the first failure that is not best effort.
    package var calls: [String]
    /// Captured names (and constants) to store after success.
    package var store: [String]
    /// Areas to empty after success.
    package var clear: [StorageKey.Area]
    /// The screen after success; nil stays.
    package var go: String?
    /// Rows of a small table instead of `go`: the first whose captured names
    /// are all there; `session: null` after register is told by it.
    package var goWhen: [GoRow]
    package var toast: String?
    /// The toast and `go` come although a call failed.
    package var always: Bool
    package var onFailure: OnFailure
    /// Shown only when the device fits: `build: debug`, `biometrics: enrolled`.
    package var needs: [String: String]
    /// Shown, focusable, and does nothing.
    package var inert: Bool

    package enum Enabled: Sendable, Equatable {
        case always
        /// Every field of the screen passes its rules.
        case valid
        /// The named fields are not empty.
        case filled([String])
    }

    package struct Confirm: Sendable, Equatable {
        package var title: String?
        package var text: String
        package var yes: String
        package var no: String
    }

    package struct GoRow: Sendable, Equatable {
        package var captured: [String]
        package var missing: [String]
        package var go: String
    }

    package struct OnFailure: Sendable, Equatable {
        /// Fields emptied when the action failed.
        package var clear: [String]
        /// `inline` or `alert`.
        package var show: Show
        package var title: String?

        package enum Show: String, Sendable { case inline, alert }
    }
}
