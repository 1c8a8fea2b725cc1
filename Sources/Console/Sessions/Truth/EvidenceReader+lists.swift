import Backend
import FoundationEssentials
import Simulator
import Surroundings
import Web

/// What is found of sessions and kept of them, for lists.
extension EvidenceReader {
    /// Notes what is found of the sessions whose accounts had one ended at the
    /// embedded backend, or were changed there, by whatever hand.
    func catchUp(in workspace: String) async throws {
        while let ends = try await services.backend.ends(in: workspace) {
            for account in ends.accounts {
                for session in try await held(by: account, workspace) { try await note(session) }
            }
            try await services.backend.forgetEnds(in: workspace, upTo: ends.upTo)
        }
    }

    /// Keeps what is found of a session now.
    func note(_ session: Session) async throws {
        try await services.simulator.note(try await evidence(of: session).finding, of: session)
    }

    private func held(by account: String, _ workspace: String) async throws -> [Session] {
        var query = SessionQuery(workspace: workspace)
        query.text = account
        query.limit = 500
        var held: [Session] = []
        // All of them: those still open may be older than many that ended.
        while true {
            let page = try await services.simulator.sessions(query)
            held += page.items.map(\.session).filter { $0.endedAt == nil }
            guard page.hasOlder, let last = page.items.last else { return held }
            query.before = last.sequence
        }
    }
}

extension Evidence {
    /// What lists keep of it.
    var finding: SessionFinding {
        SessionFinding(
            of: session, disagreements: ThreeViews(evidence: self).drift, isRevoked: isRevoked)
    }
}
