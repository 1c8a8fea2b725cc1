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
