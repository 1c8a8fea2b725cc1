import Apps
import Traffic
import Web

/// One run of calls: whose it is, why, and what it captured so far.
struct Run: Sendable {
    let place: Place
    let app: App
    /// The life of the app that started it.
    let life: Int
    let why: ExchangeContext.Cause
    /// The event that started it.
    let started: Int64?
    /// The submitted fields by name, cleaned.
    var fields: [String: JSON] = [:]
    /// What must not be stored in any form.
    var passwords: [String] = []
    /// Its calls that succeeded.
    var answered: Set<String> = []
    /// What its calls captured.
    var captured: [String: JSON] = [:]
    /// What its calls leave in memory: name, for which value, what.
    var remembered: [(name: String, key: String, value: JSON)] = []
    /// The last exchange and its event.
    var exchange: String?
    var event: Int64?

    /// What further events are because of.
    var cause: Int64? { event ?? started }

    /// How a call ended.
    enum End: Sendable {
        case success([String: JSON])
        case failure(Trouble)
        /// The session could not be saved; its rules were followed.
        case lost
    }
}
