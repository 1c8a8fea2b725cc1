import Backend
import Simulator
import Synchronization

/// Says of a session's access token whether its signature is known to hold.
///
/// Verdicts are remembered per session and generation, because a signature is
/// dear to check and never changes.
final class SignatureVerifier: Sendable {
    private let services: Services
    private let cachedVerdicts = Mutex<[Key: SignatureVerification]>([:])

    private struct Key: Hashable {
        var session: String
        var masked: String
        var generation: Int

        init(_ session: Session, _ summary: Session.TokenSummary) {
            self.session = session.id
            masked = summary.maskedValue
            generation = session.refreshCount
        }
    }

    /// Verdicts remembered at once; then all are forgotten.
    private static let capacity = 10_000

    init(services: Services) { self.services = services }

    /// Nil where there is no token left to judge.
    func verdict(_ session: Session) async throws -> SignatureVerification? {
        try await verdicts(of: [session])[session.id]
    }

    /// By the sessions' ids; the tokens still to be judged are read at once.
    func verdicts(of sessions: [Session]) async throws -> [String: SignatureVerification] {
        var verdicts: [String: SignatureVerification] = [:]
        var open: [(session: Session, contract: String)] = []
        for session in sessions {
            guard let summary = session.accessToken else { continue }
            if let plain = verdictWithoutKey(summary) ?? cachedVerdict(session, summary) {
                verdicts[session.id] = plain
            } else if let contract = contract(of: session) {
                open.append((session, contract))
            } else {
                verdicts[session.id] = SignatureVerification(
                    status: .unverified, reason: "No key is known for this backend.")
            }
        }
        guard !open.isEmpty else { return verdicts }
        let tokens = try await services.simulator.accessTokens(of: open.map(\.session))
        for (session, contract) in open {
            guard let token = tokens[session.id] else { continue }
            let verdict = services.backend.verifySignature(
                token, contract: contract, workspace: session.workspace)
            verdicts[session.id] = verdict
            cacheVerdict(verdict, session)
        }
        return verdicts
    }

    /// What needs no key to be said.
    private func verdictWithoutKey(_ summary: Session.TokenSummary) -> SignatureVerification? {
        guard summary.isJWT else {
            return SignatureVerification(status: .opaque, reason: "It is no JWT.")
        }
        guard summary.algorithm?.lowercased() == "none" else { return nil }
        return SignatureVerification(status: .unsigned, reason: "Its algorithm is none.")
    }

    private func cachedVerdict(_ session: Session, _ summary: Session.TokenSummary)
        -> SignatureVerification?
    {
        cachedVerdicts.withLock { $0[Key(session, summary)] }
    }

    private func cacheVerdict(_ verdict: SignatureVerification, _ session: Session) {
        guard let summary = session.accessToken else { return }
        cachedVerdicts.withLock { remembered in
            if remembered.count >= Self.capacity { remembered = [:] }
            remembered[Key(session, summary)] = verdict
        }
    }

    /// The embedded backend's contract this session is with, if it is.
    func contract(of session: Session) -> String? {
        services.contract(ofBackend: session.backend, app: session.app)
    }
}
