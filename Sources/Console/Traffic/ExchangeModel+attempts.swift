import Traffic

/// The attempts at one call, in the order they were made.
extension ExchangeModel {
    /// Those at the same call as `exchange` among what was `joined` to it by
    /// cause, oldest first; empty if it was the only one.
    static func attempts(of exchange: Exchange, among joined: [Exchange]) -> [Attempt] {
        let same = joined.filter { $0.call == exchange.call && $0.method == exchange.method }
        guard same.count > 1 else { return [] }
        return zip(1..., same).map { number, one in
            var words = ["\(number) of \(same.count)"]
            if let again = resendLabel(one.cause) { words.append(again) }
            words.append(one.status.map(String.init) ?? "no answer")
            return Attempt(
                attempt: words.joined(separator: ", "),
                attemptURL: one.id == exchange.id ? nil : Links.exchange(one.id))
        }
    }

    /// How somebody at the console sent it, which is no attempt of the app's.
    private static func resendLabel(_ cause: ExchangeContext.Cause) -> String? {
        switch cause {
        case .replay: "sent again"
        case .manual: "sent again by hand"
        default: nil
        }
    }
}
