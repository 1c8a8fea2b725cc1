import Traffic
import Web

/// Why somebody said no to an exchange, for its page and the API alike.
struct Rejection: Sendable {
    /// In the server's order; empty where no server's checks explain it.
    var checks: [ExchangeCheck]
    var origin: Origin

    enum Origin: Sendable {
        /// The embedded backend told what it had checked.
        case server
        /// Told from here, of a server that says nothing of its checks.
        case inferred
        /// Foyer's own answer: this condition struck.
        case fault(String)
    }
}

extension Services {
    /// Nil unless somebody said no.
    func rejection(of detail: ExchangeDetail) async throws -> Rejection? {
        let exchange = detail.exchange
        guard let status = exchange.status, status >= 400, status < 500 || !detail.checks.isEmpty
        else { return nil }
        if let condition = exchange.fault, detail.responseHeaders["Foyer-Condition"] != nil {
            return Rejection(checks: [], origin: .fault(condition))
        }
        guard detail.checks.isEmpty else {
            return Rejection(checks: detail.checks, origin: .server)
        }
        let derived = try await InferredChecks(services: self, detail: detail) {
            guard
                let index = detail.requestHeaders.fields.lazy.compactMap(
                    detail.bearerTokenIndex(in:)
                ).first
            else { return nil }
            do {
                return try await exchanges.reveal(
                    token: index, of: exchange.id, in: exchange.workspace)
            } catch let problem as Problem where problem.code == Problem.sealedTokenCode {
                // It counts as none that can be read; its card says so.
                return nil
            }
        }.list()
        return Rejection(checks: derived, origin: .inferred)
    }
}
