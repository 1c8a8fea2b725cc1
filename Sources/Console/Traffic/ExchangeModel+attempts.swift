import Traffic

/// The attempts at one call, in order.
extension ExchangeModel {
    /// The exchanges among `related` with the same call as `exchange`, oldest first; empty if it is
    /// the only one.
    static func attempts(of exchange: Exchange, among related: [Exchange]) -> [Attempt] {
        let attempts = related.filter { $0.call == exchange.call && $0.method == exchange.method }
        guard attempts.count > 1 else { return [] }
        return zip(1..., attempts).map { number, item in
            var parts = ["\(number) of \(attempts.count)"]
            if let label = resendLabel(item.cause) { parts.append(label) }
            parts.append(item.status.map(String.init) ?? "no answer")
            return Attempt(
                attempt: parts.joined(separator: ", "),
                attemptURL: item.id == exchange.id ? nil : Links.exchange(item.id))
        }
    }

    /// How it was sent from the console; such an exchange is no attempt by the app.
    private static func resendLabel(_ cause: ExchangeContext.Cause) -> String? {
        switch cause {
        case .replay: "sent again"
        case .manual: "sent again by hand"
        default: nil
        }
    }
}
