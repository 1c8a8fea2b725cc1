import Backend
package import Traffic
import Web

/// Why an exchange was rejected, for its page and for the API.
package struct Rejection: Sendable {
    /// In the server's order; empty if the rejection comes from a fault.
    package var checks: [ExchangeCheck]
    package var origin: Origin

    /// Where the checks come from.
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
    private let signatureVerifier: SignatureVerifier

    package init(exchanges: ExchangeStore, signatureVerifier: SignatureVerifier) {
        self.exchanges = exchanges
        self.signatureVerifier = signatureVerifier
    }

    /// Nil unless the exchange was rejected, by more than a rule's response or a user's edit.
    package func rejection(of detail: ExchangeDetail) async throws -> Rejection? {
        let exchange = detail.exchange
        guard let status = exchange.status, status >= 400, status < 500 || !detail.checks.isEmpty,
            !exchange.rules.contains(where: \.madeResponse)
        else { return nil }
        if let faultLabel = exchange.fault, detail.responseHeaders["X-Foyer-Fault"] != nil {
            return Rejection(checks: [], origin: .fault(faultLabel))
        }
        guard detail.checks.isEmpty else {
            return Rejection(checks: detail.checks, origin: .server)
        }
        let inferred = InferredChecks(
            signatureVerifier: signatureVerifier, detail: detail,
            bearerToken: try await bearerToken(of: detail))
        return Rejection(checks: inferred.list(status), origin: .inferred)
    }

    private func bearerToken(of detail: ExchangeDetail) async throws -> String? {
        let indices = detail.requestHeaders.fields.lazy.compactMap(detail.bearerTokenIndex(in:))
        guard let index = indices.first else { return nil }
        do {
            return try await exchanges.reveal(
                token: index, of: detail.exchange.id, in: detail.exchange.workspace)
        } catch let problem as Problem where problem.code == Problem.sealedTokenCode {
            // Counts as unreadable; its token card shows the reason.
            return nil
        }
    }
}

/// The sentence below the checks of a rejection.
package enum RejectionMessage {
    package static func cause(
        _ failed: ExchangeCheck?, status: Int, isExact: Bool, fault: String?,
        fill: (String) -> String
    ) -> String {
        let faultText = fault.map { "The fault \($0) was active. " } ?? ""
        guard let failed else {
            return faultText + "The server responded with \(status). Cause unknown."
        }
        let evidence = fill(failed.evidence)
        let start = RequestCheck(rawValue: failed.name)?.texts.failure ?? "Rejected by the server"
        // Some evidence only repeats the check's own words.
        let isRedundant = start.lowercased().contains(evidence.lowercased())
        let sentence = isRedundant || evidence.isEmpty ? start : "\(start): \(evidence)"
        return faultText + sentence + (sentence.last == "." ? "" : ".")
            + (isExact ? "" : " Inferred by Foyer.")
    }
}
