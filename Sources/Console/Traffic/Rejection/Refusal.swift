import Traffic
import Web

/// Why somebody said no to an exchange, for its page and the API alike.
struct Refusal: Sendable {
    /// In the server's order; empty where no server's checks explain it.
    var checks: [ExchangeCheck]
    var origin: Origin

    enum Origin: Sendable {
        /// The embedded backend told what it had checked.
        case server
        /// Told from here, of a server that says nothing of its checks.
        case derived
        /// Foyer's own answer: this condition struck.
        case condition(String)
    }
}

extension Services {
    /// Nil unless somebody said no.
    func refusal(of detail: ExchangeDetail) async throws -> Refusal? {
        let exchange = detail.exchange
        guard let status = exchange.status, status >= 400, status < 500 || !detail.checks.isEmpty
        else { return nil }
        if let condition = exchange.condition, detail.responseHeaders["Foyer-Condition"] != nil {
            return Refusal(checks: [], origin: .condition(condition))
        }
        guard detail.checks.isEmpty else { return Refusal(checks: detail.checks, origin: .server) }
        let derived = try await DerivedChecks(services: self, detail: detail) {
            guard let index = detail.requestHeaders.fields.lazy.compactMap(detail.bearer(in:)).first
            else { return nil }
            do {
                return try await exchanges.reveal(
                    token: index, of: exchange.id, in: exchange.workspace)
            } catch let problem as Problem where problem.code == Problem.sealedToken {
                // It counts as none that can be read; its card says so.
                return nil
            }
        }.list()
        return Refusal(checks: derived, origin: .derived)
    }
}
