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
            evidence.hasAccessToken = try await simulator.peek(
                session.place, holding: "accessToken") != nil
            evidence.hasRefreshToken = try await simulator.peek(
                session.place, holding: "refreshToken") != nil
        }
        evidence.verdict = try await judge.verdict(session)
        evidence.answered = simulator.lastAnswer(ofSession: session.id)
        evidence.truth = try await truth(of: session)
        return evidence
    }

    /// Nil where another backend answers.
    func truth(of session: Session) async throws -> Truth? {
        guard let contract = judge.contract(of: session) else { return nil }
        let isLive = session.endedAt == nil
        return try await services.backend.truth(
            of: Traces(
                accessToken: isLive
                    ? try await services.simulator.peek(
                        session.place, holding: "accessToken") : nil,
                refreshTokens: try await services.simulator
                    .refreshTokens(of: session).map(\.value),
                claims: session.accessToken?.claims),
            contract: contract, workspace: session.workspace)
    }

    /// Asks its backend about one of its access tokens, and keeps with the
    /// answer whether the session was over by then.
    func probe(
        _ session: Session, token number: Int?
    ) async throws -> Answered? {
        let isOver = try await evidence(of: session).isOver
        return try await services.simulator.probe(
            session: session.id, token: number, in: session.workspace,
            isOver: isOver)
    }

    /// In how many things each session is in drift, for a list: those that
    /// were found so before are looked at in full, others by their claims
    /// alone. What is found new is kept for the filter.
    func drift(of sessions: [Session]) async throws -> [String: Int] {
        var drift: [String: Int] = [:]
        var plain: [(session: Session, contract: String)] = []
        for session in sessions where session.endedAt == nil {
            if session.disagreements > 0 {
                drift[session.id] = ThreeViews(
                    evidence: try await evidence(of: session)).drift
            } else if let contract = judge.contract(of: session),
                session.accessToken?.claims != nil
            {
                plain.append((session, contract))
            }
        }
        if let workspace = plain.first?.session.workspace {
            let truths = try await services.backend.truths(
                of: plain.map {
                    (
                        Traces(
                            accessToken: nil, refreshTokens: [],
                            claims: $0.session.accessToken?.claims),
                        $0.contract
                    )
                }, workspace: workspace)
            let now = services.now(in: workspace)
            for ((session, _), truth) in zip(plain, truths) {
                var evidence = Evidence(session: session, app: nil, now: now)
                evidence.hasAccessToken = true
                evidence.truth = truth
                drift[session.id] = ThreeViews(evidence: evidence).drift
            }
        }
        try await keep(drift, sessions)
        return drift
    }

    /// Keeps what was found for the list's filter.
    func keep(_ drift: [String: Int], _ sessions: [Session]) async throws {
        let changed = sessions.compactMap { session in
            drift[session.id].flatMap { count in
                count == session.disagreements ? nil : (session.id, count)
            }
        }
        guard let workspace = sessions.first?.workspace else { return }
        try await services.simulator.note(
            disagreements: changed, in: workspace)
    }
}
