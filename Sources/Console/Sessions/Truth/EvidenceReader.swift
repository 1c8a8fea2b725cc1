import Apps
import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// Gathers what device, token and server say of sessions.
struct EvidenceReader: Sendable {
    let services: Services
    let judge: SignatureJudge

    /// Everything of one session; the embedded backend is asked directly, of
    /// a real one the last answer stands.
    func evidence(of session: Session) async throws -> Evidence {
        let simulator = services.simulator
        let isLive = session.endedAt == nil
        var evidence = Evidence(
            session: session, app: services.catalogue.app(session.app),
            now: services.now(in: session.workspace))
        if isLive, evidence.app != nil {
            evidence.held = try await simulator.stored(session.place)
            evidence.hasAccessToken = try await simulator.holds(session.place, "accessToken")
            evidence.hasRefreshToken = try await simulator.holds(session.place, "refreshToken")
        }
        evidence.verdict = try await judge.verdict(session)
        evidence.answered = simulator.lastAnswer(ofSession: session.id)
        evidence.generations = try await simulator.generations(of: session)
        evidence.truth = try await truth(of: session, evidence.generations)
        return evidence
    }

    /// Nil where another backend answers.
    private func truth(of session: Session, _ generations: Generations) async throws -> Truth? {
        guard let contract = judge.contract(of: session) else { return nil }
        let isLive = session.endedAt == nil
        return try await services.backend.truth(
            of: Traces(
                accessToken: isLive
                    ? try await services.simulator.readable(session.place, holding: "accessToken")
                    : nil, refreshTokens: generations.tokens.map(\.value),
                claims: session.accessToken?.claims), contract: contract,
            workspace: session.workspace)
    }

    /// Asks its backend about one of its access tokens, and keeps with the
    /// answer whether the session was over by then.
    func probe(_ session: Session, token number: Int?) async throws -> Answered? {
        let isOver = try await evidence(of: session).isOver
        return try await services.simulator.probe(
            session: session.id, token: number, in: session.workspace, isOver: isOver)
    }
}
