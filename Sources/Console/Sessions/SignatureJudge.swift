import Backend
import Simulator
import Synchronization

/// Says of a session's access token whether its signature is known to hold.
///
/// Verdicts are remembered per session and generation, because a signature is
/// dear to check and never changes.
final class SignatureJudge: Sendable {
    private let services: Services
    private let remembered = Mutex<[Key: Verdict]>([:])

    private struct Key: Hashable {
        var session: String
        var masked: String
        var generation: Int

        init(_ session: Session, _ held: Session.Held) {
            self.session = session.id
            masked = held.masked
            generation = session.refreshCount
        }
    }

    /// Verdicts remembered at once; then all are forgotten.
    private static let bound = 10_000

    init(services: Services) { self.services = services }

    /// Nil where there is no token left to judge.
    func verdict(_ session: Session) async throws -> Verdict? {
        try await verdicts(of: [session])[session.id]
    }

    /// By the sessions' ids; the tokens still to be judged are read at once.
    func verdicts(of sessions: [Session]) async throws -> [String: Verdict] {
        var verdicts: [String: Verdict] = [:]
        var open: [(session: Session, contract: String)] = []
        for session in sessions {
            guard let held = session.accessToken else { continue }
            if let plain = plain(held) ?? known(session, held) {
                verdicts[session.id] = plain
            } else if let contract = contract(of: session) {
                open.append((session, contract))
            } else {
                verdicts[session.id] = Verdict(
                    word: .unverified, reason: "No key is known for this backend.")
            }
        }
        guard !open.isEmpty else { return verdicts }
        let tokens = try await services.simulator.accessTokens(of: open.map(\.session))
        for (session, contract) in open {
            guard let token = tokens[session.id] else { continue }
            let verdict = services.backend.judge(
                token, contract: contract, workspace: session.workspace)
            verdicts[session.id] = verdict
            remember(verdict, session)
        }
        return verdicts
    }

    /// What needs no key to be said.
    private func plain(_ held: Session.Held) -> Verdict? {
        guard held.isJWT else { return Verdict(word: .opaque, reason: "It is no JWT.") }
        guard held.algorithm?.lowercased() == "none" else { return nil }
        return Verdict(word: .unsigned, reason: "Its algorithm is none.")
    }

    private func known(_ session: Session, _ held: Session.Held) -> Verdict? {
        remembered.withLock { $0[Key(session, held)] }
    }

    private func remember(_ verdict: Verdict, _ session: Session) {
        guard let held = session.accessToken else { return }
        remembered.withLock { remembered in
            if remembered.count >= Self.bound { remembered = [:] }
            remembered[Key(session, held)] = verdict
        }
    }

    /// The embedded backend's contract this session is with, if it is.
    func contract(of session: Session) -> String? {
        services.contract(ofBackend: session.backend, app: session.app)
    }
}
