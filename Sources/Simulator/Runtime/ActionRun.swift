import Apps
import Traffic
import Web

/// One run of calls: whose it is, why, and what it captured so far.
struct ActionRun: Sendable {
    let instance: AppInstance
    let app: App
    /// The life of the app that started it.
    let launchID: Int
    let initiator: ExchangeContext.Cause
    /// The event that started it.
    let startEvent: Int64?
    /// The submitted fields by name, cleaned.
    var fields: [String: JSON] = [:]
    /// What must not be stored in any form.
    var passwords: [String] = []
    /// Its calls that succeeded.
    var completedCalls: Set<String> = []
    /// What its calls captured.
    var captured: [String: JSON] = [:]
    /// What its calls leave in memory: name, for which value, what.
    var rememberedValues: [(name: String, key: String, value: JSON)] = []
    /// The last exchange and its event.
    var lastExchange: String?
    var lastEvent: Int64?

    /// What further events are because of.
    var causeEvent: Int64? { lastEvent ?? startEvent }

    /// How a call ended.
    enum CallResult: Sendable {
        case success([String: JSON])
        case failure(CallFailure)
        /// The session could not be saved; its rules were followed.
        case sessionExpired
    }
}
