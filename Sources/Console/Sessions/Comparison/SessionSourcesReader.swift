import Apps
import Backend
import Core
import FoundationEssentials
import Simulator
import Web

/// Gathers what device, token and server say of sessions.
struct SessionSourcesReader: Sendable {
    let services: Services
    let signatureVerifier: SignatureVerifier

    /// Everything of one session; the embedded backend is asked directly, of
    /// a real one the last answer stands.
    func sources(of session: Session) async throws -> SessionSources {
        let simulator = services.simulator
        let isLive = session.endedAt == nil
        var sources = SessionSources(
            session: session, app: services.appCatalog.app(session.app),
            now: services.now(in: session.workspace))
        if isLive, sources.app != nil {
            sources.storedValues = try await simulator.storedValues(session.instance)
            sources.hasAccessToken = try await simulator.hasItem(session.instance, "accessToken")
            sources.hasRefreshToken = try await simulator.hasItem(session.instance, "refreshToken")
        }
        sources.verdict = try await signatureVerifier.verdict(session)
        sources.lastResponse = simulator.lastObservation(ofSession: session.id)
        sources.generations = try await simulator.tokenGenerations(of: session)
        sources.serverState = try await serverState(of: session, sources.generations)
        return sources
    }

    /// Nil where another backend answers.
    private func serverState(of session: Session, _ generations: TokenGenerations) async throws
        -> ServerSessionState?
    {
        guard let contract = signatureVerifier.contract(of: session) else { return nil }
        let isLive = session.endedAt == nil
        return try await services.backend.serverState(
            of: SessionCredentials(
                accessToken: isLive
                    ? try await services.simulator.readableValue(
                        session.instance, holding: "accessToken")
                    : nil, refreshTokens: generations.tokens.map(\.value),
                claims: session.accessToken?.claims), contract: contract,
            workspace: session.workspace)
    }

    /// Asks its backend about one of its access tokens, and keeps with the
    /// answer whether the session was over by then.
    func probe(_ session: Session, token number: Int?) async throws -> SessionObservation? {
        let isOver = try await sources(of: session).hasEnded
        return try await services.simulator.probe(
            session: session.id, token: number, in: session.workspace, hasEnded: isOver)
    }
}
