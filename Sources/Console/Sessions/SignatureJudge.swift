import Backend
import Simulator
import Synchronization

/// Says of a session's access token whether its signature is known to hold.
///
/// Verdicts are remembered per session and generation, because a signature is
/// dear to check and never changes.
final class SignatureJudge: Sendable {
    private let services: Services
    private let verdicts = Mutex<[Key: Verdict]>([:])

    private struct Key: Hashable {
        var session: String
        var masked: String
        var generation: Int
    }

    /// Verdicts remembered at once; then all are forgotten.
    private static let bound = 10_000

    init(services: Services) { self.services = services }

    /// Nil where there is no token left to judge.
    func verdict(_ session: Session) async throws -> Verdict? {
        guard let held = session.accessToken else { return nil }
        guard held.isJWT else {
            return Verdict(word: .opaque, reason: "It is no JWT.")
        }
        if held.algorithm?.lowercased() == "none" {
            return Verdict(word: .unsigned, reason: "Its algorithm is none.")
        }
        let key = Key(
            session: session.id, masked: held.masked,
            generation: session.refreshCount)
        if let known = verdicts.withLock({ $0[key] }) { return known }
        guard let verdict = try await judge(session, held) else { return nil }
        verdicts.withLock { verdicts in
            if verdicts.count >= Self.bound { verdicts = [:] }
            verdicts[key] = verdict
        }
        return verdict
    }

    private func judge(
        _ session: Session, _ held: Session.Held
    ) async throws -> Verdict? {
        guard let contract = contract(of: session) else {
            return Verdict(
                word: .unverified,
                reason: "No key is known for this backend.")
        }
        let place = Place(
            workspace: session.workspace, device: session.device,
            app: session.app)
        guard session.endedAt == nil,
            let token = try await services.simulator.peek(place, holding: "accessToken")
        else { return nil }
        return services.backend.judge(
            token, contract: contract, workspace: session.workspace)
    }

    /// The embedded backend's contract this session is with, if it is.
    func contract(of session: Session) -> String? {
        services.contract(ofBackend: session.backend, app: session.app)
    }
}
