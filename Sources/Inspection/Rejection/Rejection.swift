package import Apps
package import Backend
package import Traffic
import Web

/// Why an exchange was rejected, for its page and for the API.
package struct Rejection: Sendable {
    /// In the server's order; empty if the rejection comes from a fault.
    package var checks: [ExchangeCheck]
    package var origin: Origin

    package enum Origin: Sendable {
        /// Checks reported by the embedded backend.
        case server
        /// Checks inferred by Foyer, for a server that does not report its own.
        case inferred
        /// The response was made by Foyer, because of the fault with this label.
        case fault(String)
    }
}

/// Determines why exchanges were rejected.
package struct RejectionReader: Sendable {
    private let exchanges: ExchangeStore
    private let backend: EmbeddedBackend
    private let catalog: AppCatalog

    package init(exchanges: ExchangeStore, backend: EmbeddedBackend, catalog: AppCatalog) {
        self.exchanges = exchanges
        self.backend = backend
        self.catalog = catalog
    }

    /// Nil unless the exchange was rejected.
    package func rejection(of detail: ExchangeDetail) async throws -> Rejection? {
        let exchange = detail.exchange
        guard let status = exchange.status, status >= 400, status < 500 || !detail.checks.isEmpty
        else { return nil }
        if let faultLabel = exchange.fault, detail.responseHeaders["X-Foyer-Fault"] != nil {
            return Rejection(checks: [], origin: .fault(faultLabel))
        }
        guard detail.checks.isEmpty else {
            return Rejection(checks: detail.checks, origin: .server)
        }
        let inferred = try await InferredChecks(backend: backend, catalog: catalog, detail: detail)
        {
            guard
                let index = detail.requestHeaders.fields.lazy.compactMap(
                    detail.bearerTokenIndex(in:)
                ).first
            else { return nil }
            do {
                return try await exchanges.reveal(
                    token: index, of: exchange.id, in: exchange.workspace)
            } catch let problem as Problem where problem.code == Problem.sealedTokenCode {
                // Counts as unreadable; its token card shows the reason.
                return nil
            }
        }.list()
        return Rejection(checks: inferred, origin: .inferred)
    }
}
