import Core
import SQLite
import Synchronization
import Web

/// Compares sessions with their servers after changes, batch by batch in each workspace.
///
/// Lists therefore have current results without a check that writes on reading. The check needs the
/// servers and is passed to `start`.
package final class SessionCheckQueue: Sendable {
    /// The changes in a workspace since the last batch.
    package struct Batch: Sendable {
        /// App instances whose session, storage or last response changed.
        package var instances: Set<AppInstance> = []
        /// Whether sessions or accounts of the embedded backend changed.
        package var hasServerChanged = false
    }

    package typealias Check = @Sendable (_ workspace: String, _ batch: Batch) async -> Void

    private struct State {
        var check: Check?
        /// The next batch of each workspace.
        var batches: [String: Batch] = [:]
        /// The tasks that will run the next batch or are running the previous one.
        var tasks: [String: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Runs `check` after every change from now on.
    package func start(_ check: @escaping Check) { state.withLock { $0.check = check } }

    func enqueue(_ instance: AppInstance) {
        updateBatch(instance.workspace) { $0.instances.insert(instance) }
    }

    package func enqueueServerChange(in workspace: String) {
        updateBatch(workspace) { $0.hasServerChanged = true }
    }

    /// Returns after the checks of all earlier changes.
    package func waitUntilIdle(in workspace: String) async {
        // The running batch may have started before the newest change.
        for _ in 0..<2 { await state.withLock { $0.tasks[workspace] }?.value }
    }

    /// Waits for all workspaces.
    func waitUntilIdle() async {
        for workspace in state.withLock({ Array($0.tasks.keys) }) {
            await waitUntilIdle(in: workspace)
        }
    }

    private func updateBatch(_ workspace: String, _ change: (inout Batch) -> Void) {
        state.withLock { state in
            guard state.check != nil else { return }
            change(&state.batches[workspace, default: Batch()])
            if state.tasks[workspace] == nil { state.tasks[workspace] = makeTask(for: workspace) }
        }
    }

    /// Detached from the task that made the change, which carries its request's clock and check
    /// trace.
    private func makeTask(for workspace: String) -> Task<Void, Never> {
        Task.detached { await self.runBatch(workspace) }
    }

    private func runBatch(_ workspace: String) async {
        let (check, batch) = state.withLock { state in
            (state.check, state.batches.removeValue(forKey: workspace))
        }
        if let check, let batch { await check(workspace, batch) }
        state.withLock { state in
            let isDone = state.batches[workspace] == nil
            state.tasks[workspace] = isDone ? nil : makeTask(for: workspace)
        }
    }
}

extension Simulator {
    /// Stores the result of comparing an active session's device, token and server in the lists'
    /// rows and in the app's cached state, and publishes a changed session state.
    ///
    /// `isRevoked` is whether the server no longer accepts the session; nil if unknown.
    package func recordCheck(of session: Session, discrepancyCount: Int, isRevoked: Bool?)
        async throws
    {
        let isStateNew = isRevoked.map { $0 != (session.state == .revoked) } ?? false
        guard session.endedAt == nil, isStateNew || session.discrepancyCount != discrepancyCount
        else { return }
        let state: Session.State = isRevoked == true ? .revoked : .active
        // Locked, so that no concurrent change writes the old state back.
        await stateStore.instanceLock.lock(session.instance)
        defer { stateStore.instanceLock.unlock(session.instance) }
        let isChanged = try await database.writeThrowingProblems { connection in
            let key: [Value] = [.text(session.id), .text(session.workspace)]
            let count = Value.integer(discrepancyCount)
            try connection.run(
                """
                UPDATE sessions SET disagreements = ? \
                WHERE id = ? AND workspace = ? AND disagreements <> ?
                """, [count] + key + [count])
            guard isRevoked != nil else { return false }
            let ended = Value.text(state.endedColumn)
            try connection.run(
                """
                UPDATE sessions SET ended = ? WHERE id = ? AND workspace = ? \
                AND ended_at IS NULL AND ended <> ?
                """, [ended] + key + [ended])
            return connection.changedRowCount > 0
        }
        guard isChanged else { return }
        stateStore.memory.withLock { memory in
            guard var persisted = memory.persisted.value(for: session.instance),
                persisted.session?.id == session.id
            else { return }
            persisted.session?.state = state
            memory.persisted.set(session.instance, persisted)
        }
        hub.publish(
            session.instance, .sessionChanged,
            state == .revoked
                ? "The server ended the session" : "The session is active on the server",
            subject: session.id,
            details: ["kind": state == .revoked ? "endedByServer" : "openOnServer"])
        stateStore.sessionIndex.scheduleUpdate()
    }
}
