import SQLite
import Surroundings
import Synchronization
import Web

extension Simulator {
    /// Notes what was found of a session, in the rows lists are made of and in
    /// what its app has in memory; tells who watches of a state that changed.
    package func note(_ finding: SessionFinding, of session: Session) async throws {
        guard session.endedAt == nil, !finding.isKnown(of: session) else { return }
        let place = Place(workspace: session.workspace, device: session.device, app: session.app)
        guard try await cupboard.note(finding, of: place) else { return }
        let isRevoked = finding.isRevoked == true
        runner.tell(
            place, .sessionChanged,
            isRevoked ? "Its server ended the session" : "Its server goes on with the session",
            subject: session.id, facts: ["kind": isRevoked ? "endedThere" : "openThere"])
        cupboard.index.note()
    }
}

extension Cupboard {
    /// Within the gate, so that no change of the app's writes what was before.
    fileprivate func note(_ finding: SessionFinding, of place: Place) async throws -> Bool {
        await gate.enter(place)
        defer { gate.leave(place) }
        let isChanged = try await database.writing { connection in
            try SessionTable.note(finding, connection)
        }
        guard isChanged else { return false }
        memory.withLock { memory in
            guard var kept = memory.kept.use(place), kept.session?.id == finding.session else {
                return
            }
            kept.session?.state = finding.isRevoked == true ? .revoked : .active
            memory.kept.set(place, kept)
        }
        return true
    }
}
