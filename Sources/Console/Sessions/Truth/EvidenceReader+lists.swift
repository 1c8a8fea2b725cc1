import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// What is found of many sessions, before and while they are listed.
extension EvidenceReader {
    /// A page of sessions, each with what is found of it now.
    func sessions(_ query: SessionQuery) async throws -> SessionPage {
        try await catchUp(in: query.workspace)
        var page = try await services.simulator.sessions(query)
        var found = try await findings(of: page.items.map(\.session))
        if try await services.simulator.note(found) {
            // One that is in another state may belong on no such page.
            page = try await services.simulator.sessions(query)
            found = try await findings(of: page.items.map(\.session))
        }
        let counts = Dictionary(
            found.map { ($0.session.id, $0.finding.disagreements) },
            uniquingKeysWith: { $1 })
        for index in page.items.indices {
            page.items[index].session.disagreements =
                counts[page.items[index].session.id] ?? 0
        }
        return page
    }

    /// Looks at the sessions whose accounts had one ended at the embedded
    /// backend, by whatever hand, since somebody last looked.
    func catchUp(in workspace: String) async throws {
        while let ends = try await services.backend.ends(in: workspace) {
            for account in ends.accounts {
                for session in try await held(by: account, workspace) {
                    _ = try await evidence(of: session)
                }
            }
            try await services.backend.forgetEnds(
                in: workspace, upTo: ends.upTo)
        }
    }

    private func held(
        by account: String, _ workspace: String
    ) async throws -> [Session] {
        var query = SessionQuery(workspace: workspace)
        query.text = account
        query.limit = 500
        return try await services.simulator.sessions(query).items
            .map(\.session).filter { $0.endedAt == nil }
    }

    /// Those that were found to be in drift or ended before are looked at in
    /// full, others by their claims alone until these say something.
    private func findings(
        of sessions: [Session]
    ) async throws -> [(session: Session, finding: SessionFinding)] {
        var findings: [(session: Session, finding: SessionFinding)] = []
        var plain: [(session: Session, contract: String)] = []
        for session in sessions where session.endedAt == nil {
            if session.disagreements > 0 || session.state == .revoked {
                findings.append((session, try await gathered(of: session).finding))
            } else if let contract = judge.contract(of: session),
                session.accessToken?.claims != nil
            {
                plain.append((session, contract))
            }
        }
        guard let workspace = plain.first?.session.workspace else {
            return findings
        }
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
            if evidence.finding.disagreements > 0 {
                evidence = try await gathered(of: session)
            }
            findings.append((session, evidence.finding))
        }
        return findings
    }
}

extension Evidence {
    /// What lists keep of it.
    var finding: SessionFinding {
        SessionFinding(
            of: session, disagreements: ThreeViews(evidence: self).drift,
            isRevoked: isRevoked)
    }
}
