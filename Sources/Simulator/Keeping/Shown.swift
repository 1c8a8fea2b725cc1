import Web

/// What an app on a device holds in memory and loses at a cold start.
struct Shown: Sendable {
    /// Which run of the app it is. What an action of an earlier one brings
    /// home is dropped: the app that asked is dead.
    let life: Int
    /// Captured without being stored, by name.
    var held: [String: JSON] = [:]
    /// One value for each value of another field: name, then that value.
    var remembered: [String: [String: JSON]] = [:]
    /// What was typed into the current screen's fields.
    var values: [String: String] = [:]
    var fieldErrors: [String: String] = [:]
    var failure: Situation.Failure?
    var toast: String?
    var notice: String?
    var alert: Situation.Alert?
    /// Screens that need a session open without one.
    var bypass = false
    /// Calls that brought what there is: a screen need not load it again.
    var answered: Set<String> = []
    /// Calls of a failed action that need not be made again.
    var resumable: Resumable?
    /// The event of the cold start, until its launch table ran.
    var started: Int64?
    /// The event that tells of the screen shown now.
    var screenEvent: Int64?
    /// The app is to be killed as soon as a form's next submit has left.
    var killsNext = false

    /// Calls that succeeded before their action failed.
    struct Resumable: Sendable {
        var screen: String
        var action: String
        var calls: [String: Made]

        /// One of them.
        struct Made: Sendable {
            /// What was typed then, as far as it decides.
            var fields: [String: String] = [:]
            var captured: [String: JSON] = [:]
        }
    }

    init(life: Int) { self.life = life }

    /// A value remembered for one of these is forgotten beyond this many.
    private static let rememberedBound = 100

    mutating func remember(_ name: String, for key: String, _ value: JSON) {
        var values = remembered[name] ?? [:]
        if values.count >= Self.rememberedBound { values = [:] }
        values[key] = value
        remembered[name] = values
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
        values = [:]
    }

    /// Somebody signed in: what was held of whoever was here before is gone,
    /// but for what was just typed.
    mutating func forgetEarlier(than fields: [String: JSON]) {
        held = held.filter { fields[$0.key] != nil }
        answered = []
    }

    /// The app forgot who was signed in.
    mutating func forgetPerson() {
        held = [:]
        answered = []
        resumable = nil
        bypass = false
    }
}
