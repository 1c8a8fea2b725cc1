/// Why a stored item changes; it decides how the session is affected.
enum StorageChangeReason: Sendable {
    /// An action or the launch stored or cleared it.
    case run(exchange: String?)
    /// The app refreshed; `title` is the history entry.
    case refresh(exchange: String?, title: String)
    /// The session could not be refreshed.
    case sessionExpired(exchange: String?)
    /// The user wrote or deleted an item.
    case manual
    /// The user let the access token expire, with the reason.
    case tokenExpiredManually(reason: String)

    var exchange: String? {
        switch self {
        case .run(let exchange), .refresh(let exchange, _), .sessionExpired(let exchange): exchange
        case .manual, .tokenExpiredManually: nil
        }
    }
}
