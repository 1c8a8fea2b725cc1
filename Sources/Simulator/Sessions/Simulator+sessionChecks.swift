import Core
import SQLite
import Synchronization
import Web

extension Simulator {
    /// Stores a check's result in the lists' rows and in the app's cached state, and publishes a
    /// changed session state.
    package func record(_ finding: SessionCheckResult, of session: Session) async throws {
        guard session.endedAt == nil, !finding.isRecorded(in: session) else { return }
        let instance = AppInstance(
            workspace: session.workspace, device: session.device, app: session.app)
        guard try await stateStore.record(finding, of: instance) else { return }
        let isRevoked = finding.isRevoked == true
        runner.publish(
            instance, .sessionChanged,
            isRevoked ? "Its server ended the session" : "Its server goes on with the session",
            subject: session.id, details: ["kind": isRevoked ? "endedThere" : "openThere"])
        stateStore.sessionIndex.scheduleUpdate()
    }
}

extension DeviceStateStore {
    /// Holds the instance lock, so that no concurrent change writes the old state back.
    fileprivate func record(_ finding: SessionCheckResult, of instance: AppInstance) async throws
        -> Bool
    {
        await instanceLock.lock(instance)
        defer { instanceLock.unlock(instance) }
        let isChanged = try await database.writeThrowingProblems { connection in
            try SessionTable.record(finding, connection)
        }
        guard isChanged else { return false }
        memory.withLock { memory in
            guard var persisted = memory.persisted.value(for: instance),
                persisted.session?.id == finding.session
            else {
                return
            }
            persisted.session?.state = finding.isRevoked == true ? .revoked : .active
            memory.persisted.set(instance, persisted)
        }
        return true
    }
}
