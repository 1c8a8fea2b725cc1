import Web

/// The state of an app on a device that a cold start clears.
struct TransientAppState: Sendable {
    /// The app launch. Results of an earlier launch's actions are dropped, because that app was
    /// killed.
    let launchID: Int
    /// Captured values that are not stored, by name.
    var capturedValues: [String: JSON] = [:]
    /// Values remembered per value of another field: by name, then by that value.
    var rememberedValues: [String: [String: JSON]] = [:]
    /// The values of the current screen's fields.
    var fieldValues: [String: String] = [:]
    var fieldErrors: [String: String] = [:]
    var failure: AppStatus.Failure?
    var toast: String?
    var notice: String?
    var alert: AppStatus.Alert?
    /// Whether screens that need a session open without one.
    var isSessionBypassed = false
    /// Calls whose results are current: a screen need not load them again.
    var completedCalls: Set<String> = []
    /// The completed calls of a failed action, which a retry need not repeat.
    var resumableAction: ResumableAction?
    /// The event of the cold start, until its launch table ran.
    var startEvent: Int64?
    /// The event of the current screen.
    var screenEvent: Int64?
    /// Whether the app is killed as soon as the next form submit sends its first request.
    var willKillOnNextSubmit = false

    /// Calls that succeeded before their action failed.
    struct ResumableAction: Sendable {
        var screen: String
        var action: String
        var calls: [String: CompletedCall]

        struct CompletedCall: Sendable {
            /// The field values that decide whether the call is repeated.
            var fields: [String: String] = [:]
            var captured: [String: JSON] = [:]
        }
    }

    /// Number of remembered values per name; beyond it they are cleared.
    private static let maxRememberedValues = 100

    mutating func remember(_ name: String, for key: String, _ value: JSON) {
        var values = rememberedValues[name] ?? [:]
        if values.count >= Self.maxRememberedValues { values = [:] }
        values[key] = value
        rememberedValues[name] = values
    }

    /// Clears the last action's messages.
    mutating func clearMessages() {
        fieldErrors = [:]
        failure = nil
        notice = nil
        alert = nil
    }

    /// Clears the previous screen's messages and values.
    mutating func leaveScreen() {
        clearMessages()
        fieldValues = [:]
    }

    /// Clears the previous user's values after a sign-in, except those just submitted.
    mutating func clearPreviousUser(keeping fields: [String: JSON]) {
        capturedValues = capturedValues.filter { fields[$0.key] != nil }
        completedCalls = []
    }

    /// Clears the user's values after a sign-out.
    mutating func clearUser() {
        capturedValues = [:]
        completedCalls = []
        resumableAction = nil
        isSessionBypassed = false
    }
}
