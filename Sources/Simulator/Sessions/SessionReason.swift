/// Why something stored changes; it decides what becomes of a session.
enum SessionReason: Sendable {
    /// An action or the launch stored or cleared it.
    case run(exchange: String?)
    /// The app refreshed; how, as its history says it.
    case refresh(exchange: String?, words: String)
    /// The session could not be saved.
    case lost(exchange: String?)
    /// Somebody wrote or deleted an item by hand.
    case hand
    /// Somebody ended the access token by hand, and why.
    case expired(because: String)

    var exchange: String? {
        switch self {
        case .run(let exchange), .refresh(let exchange, _), .lost(let exchange): exchange
        case .hand, .expired: nil
        }
    }
}
