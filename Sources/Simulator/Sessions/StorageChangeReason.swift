/// Why something stored changes; it decides what becomes of a session.
enum StorageChangeReason: Sendable {
    /// An action or the launch stored or cleared it.
    case run(exchange: String?)
    /// The app refreshed; how, as its history says it.
    case refresh(exchange: String?, title: String)
    /// The session could not be saved.
    case sessionExpired(exchange: String?)
    /// Somebody wrote or deleted an item by hand.
    case manual
    /// Somebody ended the access token by hand, and why.
    case tokenExpiredManually(reason: String)

    var exchange: String? {
        switch self {
        case .run(let exchange), .refresh(let exchange, _), .sessionExpired(let exchange): exchange
        case .manual, .tokenExpiredManually: nil
        }
    }
}
