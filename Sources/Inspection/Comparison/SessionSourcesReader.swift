import Apps
import Backend
import Core
package import Simulator

/// Gathers the device's, token's and server's data of sessions.
package struct SessionSourcesReader: Sendable {
    private let signatureVerifier: SignatureVerifier
    var simulator: Simulator { signatureVerifier.simulator }
    var backend: EmbeddedBackend { signatureVerifier.backend }

    package init(_ signatureVerifier: SignatureVerifier) {
        self.signatureVerifier = signatureVerifier
    }

    /// Reads all data of a session. The embedded backend is queried directly; for a real backend
    /// the last response is used.
    package func sources(of session: Session) async throws -> SessionSources {
        let isLive = session.endedAt == nil
        var sources = SessionSources(
            session: session, app: signatureVerifier.catalog.app(session.app),
            now: simulator.clocks.now(in: session.workspace))
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

    /// Nil for another backend.
    private func serverState(of session: Session, _ generations: TokenGenerations) async throws
        -> ServerSessionState?
    {
        guard let contract = signatureVerifier.contract(of: session) else { return nil }
        let isLive = session.endedAt == nil
        return try await backend.serverState(
            of: SessionCredentials(
                accessToken: isLive
                    ? try await simulator.storedValue(
                        session.instance, holding: "accessToken", allowsUnreadable: true) : nil,
                refreshTokens: generations.tokens.map(\.value),
                claims: session.accessToken?.claims), contract: contract,
            workspace: session.workspace)
    }

    /// Checks an access token of the session at its backend and stores with the result whether the
    /// session had ended by then.
    package func probe(_ session: Session, token number: Int?) async throws -> SessionObservation? {
        let hasEnded = try await sources(of: session).hasEnded
        return try await simulator.probe(
            session: session.id, token: number, in: session.workspace, hasEnded: hasEnded)
    }
}

/// Checks sessions and stores the results for lists.
extension SessionSourcesReader {
    /// Checks the open sessions of accounts that the embedded backend changed or ended a session
    /// of.
    func processEndedSessions(in workspace: String) async throws {
        while let ends = try await backend.accountsWithEndedSessions(in: workspace) {
            for account in ends.accounts {
                for session in try await openSessions(by: account, workspace) {
                    try await recordFinding(session)
                }
            }
            try await backend.clearEndedSessions(in: workspace, upTo: ends.upTo)
        }
    }

    /// Checks a session and stores the result.
    func recordFinding(_ session: Session) async throws {
        let sources = try await self.sources(of: session)
        try await simulator.recordCheck(
            of: session, discrepancyCount: SessionComparison(sources: sources).discrepancyCount,
            isRevoked: sources.isRevoked)
    }

    private func openSessions(by account: String, _ workspace: String) async throws -> [Session] {
        var query = SessionQuery(workspace: workspace)
        query.text = account
        query.keyset.limit = 500
        var sessions: [Session] = []
        // Reads all pages: open sessions may be older than many ended ones.
        while true {
            let page = try await simulator.sessions(query).page
            sessions += page.items.filter { $0.endedAt == nil }
            guard page.hasOlder, let last = page.last else { return sessions }
            query.keyset.before = last
        }
    }
}
