import Web

/// What an app on a device holds in memory and loses at a cold start.
struct TransientAppState: Sendable {
    /// Which run of the app it is. What an action of an earlier one brings
    /// home is dropped: the app that asked is dead.
    let launchID: Int
    /// Captured without being stored, by name.
    var capturedValues: [String: JSON] = [:]
    /// One value for each value of another field: name, then that value.
    var rememberedValues: [String: [String: JSON]] = [:]
    /// What was typed into the current screen's fields.
    var fieldValues: [String: String] = [:]
    var fieldErrors: [String: String] = [:]
    var failure: AppStatus.Failure?
    var toast: String?
    var notice: String?
    var alert: AppStatus.Alert?
    /// Screens that need a session open without one.
    var isSessionBypassed = false
    /// Calls that brought what there is: a screen need not load it again.
    var completedCalls: Set<String> = []
    /// Calls of a failed action that need not be made again.
    var resumableAction: ResumableAction?
    /// The event of the cold start, until its launch table ran.
    var startEvent: Int64?
    /// The event that tells of the screen shown now.
    var screenEvent: Int64?
    /// The app is to be killed as soon as a form's next submit has left.
    var willKillOnNextSubmit = false

    /// Calls that succeeded before their action failed.
    struct ResumableAction: Sendable {
        var screen: String
        var action: String
        var calls: [String: CompletedCall]

        /// One of them.
        struct CompletedCall: Sendable {
            /// What was typed then, as far as it decides.
            var fields: [String: String] = [:]
            var captured: [String: JSON] = [:]
        }
    }

    init(launchID: Int) { self.launchID = launchID }

    /// A value remembered for one of these is forgotten beyond this many.
    private static let maxRememberedValues = 100

    mutating func remember(_ name: String, for key: String, _ value: JSON) {
        var values = rememberedValues[name] ?? [:]
        if values.count >= Self.maxRememberedValues { values = [:] }
        values[key] = value
        rememberedValues[name] = values
    }

    /// Takes away what was said about the last action.
    mutating func clearMessages() {
        fieldErrors = [:]
        failure = nil
        notice = nil
        alert = nil
    }

    /// Another screen is shown: nothing of the one before is left.
    mutating func leaveScreen() {
        clearMessages()
        fieldValues = [:]
    }

    /// Somebody signed in: what was held of whoever was here before is gone,
    /// but for what was just typed.
    mutating func clearPreviousUser(keeping fields: [String: JSON]) {
        capturedValues = capturedValues.filter { fields[$0.key] != nil }
        completedCalls = []
    }

    /// The app forgot who was signed in.
    mutating func clearUser() {
        capturedValues = [:]
        completedCalls = []
        resumableAction = nil
        isSessionBypassed = false
    }
}
