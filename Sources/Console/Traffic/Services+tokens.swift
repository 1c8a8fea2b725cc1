import Core
import Traffic

extension Services {
    /// An exchange's tokens whole, in their order; masked where one cannot
    /// be opened any more.
    func unmaskedTokens(of detail: ExchangeDetail) async throws -> [String] {
        var tokens: [String] = []
        for (index, masked) in detail.tokens.enumerated() {
            let whole = try await exchanges.reveal(
                token: index, of: detail.exchange.id, in: detail.exchange.workspace)
            tokens.append(whole ?? masked)
        }
        return tokens
    }

    /// Notes on the timeline that an exchange left with whole tokens.
    func publishReveal(of detail: ExchangeDetail) {
        guard !detail.tokens.isEmpty else { return }
        let exchange = detail.exchange
        let path = Exchange.elidingTokens(exchange.pathAndQuery)
        hub.publish(
            EventDraft(
                workspace: exchange.workspace, kind: .storageRevealed, app: exchange.app,
                device: exchange.device,
                title: "\(exchange.method) \(path) copied with whole tokens"))
    }
}
