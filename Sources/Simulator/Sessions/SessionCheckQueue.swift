import Synchronization

/// Has sessions compared with their servers after something about them
/// changed, one batch of changes after another in each workspace.
///
/// So lists tell what is the case without a look that would have to write it.
/// What compares them knows the servers, and is handed over by `begin`.
package final class SessionCheckQueue: Sendable {
    /// What changed in a workspace since the last batch.
    package struct Batch: Sendable {
        /// Apps whose session, storage or last answer is another one.
        package var instances: Set<AppInstance> = []
        /// Whether sessions or accounts of the embedded backend are.
        package var hasServerChanged = false
    }

    package typealias Check = @Sendable (_ workspace: String, _ batch: Batch) async -> Void

    private struct State {
        var check: Check?
        var queues: [String: WorkspaceQueue] = [:]
    }

    /// A workspace's next batch, and the task that takes it or works on the
    /// one before.
    private struct WorkspaceQueue {
        var nextBatch: Batch?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// From now on every change is followed by `check`.
    package func start(_ check: @escaping Check) { state.withLock { $0.check = check } }

    func enqueue(_ instance: AppInstance) {
        updateBatch(instance.workspace) { $0.instances.insert(instance) }
    }

    package func enqueueServerChange(in workspace: String) {
        updateBatch(workspace) { $0.hasServerChanged = true }
    }

    /// Returns when every change before this call was followed by its check.
    package func waitUntilIdle(in workspace: String) async {
        // The batch under way may have been taken before the newest change.
        for _ in 0..<2 { await state.withLock { $0.queues[workspace]?.task }?.value }
    }

    /// The same of all workspaces.
    func waitUntilIdle() async {
        for workspace in state.withLock({ Array($0.queues.keys) }) {
            await waitUntilIdle(in: workspace)
        }
    }

    private func updateBatch(_ workspace: String, _ change: (inout Batch) -> Void) {
        state.withLock { state in
            guard state.check != nil else { return }
            var work = state.queues[workspace] ?? WorkspaceQueue()
            var batch = work.nextBatch ?? Batch()
            change(&batch)
            work.nextBatch = batch
            if work.task == nil { work.task = makeTask(for: workspace) }
            state.queues[workspace] = work
        }
    }

    /// Apart from the task that changed something, whose request has a clock
    /// and a trail of its own.
    private func makeTask(for workspace: String) -> Task<Void, Never> {
        Task.detached { await self.runBatch(workspace) }
    }

    private func runBatch(_ workspace: String) async {
        let (check, batch) = state.withLock { state in
            let batch = state.queues[workspace]?.nextBatch
            state.queues[workspace]?.nextBatch = nil
            return (state.check, batch)
        }
        if let check, let batch { await check(workspace, batch) }
        state.withLock { state in
            let isMore = state.queues[workspace]?.nextBatch != nil
            state.queues[workspace]?.task = isMore ? makeTask(for: workspace) : nil
            if !isMore { state.queues[workspace] = nil }
        }
    }
}
