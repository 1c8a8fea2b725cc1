package import Apps
package import Backend
import Core
package import Simulator
package import Traffic

/// Verifies the signatures of sessions' access tokens.
///
/// Results are cached per session and generation, because verifying a signature is expensive and
/// its result never changes.
package final class SignatureVerifier: Sendable {
    let simulator: Simulator
    let backend: EmbeddedBackend
    let catalog: AppCatalog
    /// By session, masked token and generation.
    private let cachedVerdicts = SharedCache<[String], SignatureVerification>(capacity: 10_000)

    package init(simulator: Simulator, backend: EmbeddedBackend, catalog: AppCatalog) {
        self.simulator = simulator
        self.backend = backend
        self.catalog = catalog
    }

    /// Nil if no access token is left.
    package func verdict(_ session: Session) async throws -> SignatureVerification? {
        try await verdicts(of: [session])[session.id]
    }

    /// By session id. The tokens that are not cached are read in one query.
    package func verdicts(of sessions: [Session]) async throws -> [String: SignatureVerification] {
        var verdicts: [String: SignatureVerification] = [:]
        var pending: [(session: Session, key: [String], contract: String)] = []
        for session in sessions {
            guard let summary = session.accessToken else { continue }
            let key = [session.id, summary.maskedValue, String(session.refreshCount)]
            if let verdict = verdictWithoutKey(summary) ?? cachedVerdicts[key] {
                verdicts[session.id] = verdict
            } else if let contract = contract(of: session) {
                pending.append((session, key, contract))
            } else {
                verdicts[session.id] = Self.noKey
            }
        }
        guard !pending.isEmpty else { return verdicts }
        let tokens = try await simulator.accessTokens(of: pending.map(\.session))
        for (session, key, contract) in pending {
            guard let token = tokens[session.id] else { continue }
            let verdict = backend.verifySignature(token, contract: contract)
            verdicts[session.id] = verdict
            cachedVerdicts[key] = verdict
        }
        return verdicts
    }

    /// The verdict on a token that `exchange` carries; it is not cached.
    package func verdict(
        on token: String, _ summary: Session.TokenSummary, of exchange: Exchange
    ) -> SignatureVerification {
        if let verdict = verdictWithoutKey(summary) { return verdict }
        guard let contract = catalog.contract(ofBackend: exchange.backend, app: exchange.app) else {
            return Self.noKey
        }
        return backend.verifySignature(token, contract: contract)
    }

    private static let noKey = SignatureVerification(
        status: .unverified, reason: "No key is available for this backend.")

    /// The result for tokens that need no key.
    private func verdictWithoutKey(_ summary: Session.TokenSummary) -> SignatureVerification? {
        guard summary.isJWT else {
            return SignatureVerification(status: .opaque, reason: "Not a JWT.")
        }
        guard summary.algorithm?.lowercased() == "none" else { return nil }
        return SignatureVerification(status: .unsigned, reason: "The algorithm is none.")
    }

    /// The embedded backend's contract that the session uses; nil for another backend.
    package func contract(of session: Session) -> String? {
        catalog.contract(ofBackend: session.backend, app: session.app)
    }
}
