import Core
import Traffic

extension Services {
    /// An exchange's unmasked tokens by index; the masked form if none is stored. Throws if one
    /// cannot be decrypted.
    func unmaskedTokens(of detail: ExchangeDetail) async throws -> [String] {
        var tokens: [String] = []
        for (index, masked) in detail.tokens.enumerated() {
            let unmasked = try await exchanges.reveal(
                token: index, of: detail.exchange.id, in: detail.exchange.workspace)
            tokens.append(unmasked ?? masked)
        }
        return tokens
    }

    /// Logs on the timeline that an exchange was copied with unmasked tokens.
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
