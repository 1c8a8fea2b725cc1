import Synchronization

/// Has sessions compared with their servers after something about them
/// changed, one batch of changes after another in each workspace.
///
/// So lists tell what is the case without a look that would have to write it.
/// What compares them knows the servers, and is handed over by `begin`.
package final class SessionChecks: Sendable {
    /// What changed in a workspace since the last batch.
    package struct Batch: Sendable {
        /// Apps whose session, storage or last answer is another one.
        package var places: Set<Place> = []
        /// Whether sessions or accounts of the embedded backend are.
        package var isServerChanged = false
    }

    package typealias Check = @Sendable (_ workspace: String, _ batch: Batch) async -> Void

    private struct State {
        var check: Check?
        var works: [String: Work] = [:]
    }

    /// A workspace's next batch, and the task that takes it or works on the
    /// one before.
    private struct Work {
        var batch: Batch?
        var running: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// From now on every change is followed by `check`.
    package func begin(_ check: @escaping Check) { state.withLock { $0.check = check } }

    func note(_ place: Place) { ask(place.workspace) { $0.places.insert(place) } }

    package func noteServer(in workspace: String) { ask(workspace) { $0.isServerChanged = true } }

    /// Returns when every change before this call was followed by its check.
    package func settle(in workspace: String) async {
        // The batch under way may have been taken before the newest change.
        for _ in 0..<2 { await state.withLock { $0.works[workspace]?.running }?.value }
    }

    /// The same of all workspaces.
    func settle() async {
        for workspace in state.withLock({ Array($0.works.keys) }) { await settle(in: workspace) }
    }

    private func ask(_ workspace: String, _ change: (inout Batch) -> Void) {
        state.withLock { state in
            guard state.check != nil else { return }
            var work = state.works[workspace] ?? Work()
            var batch = work.batch ?? Batch()
            change(&batch)
            work.batch = batch
            if work.running == nil { work.running = task(for: workspace) }
            state.works[workspace] = work
        }
    }

    /// Apart from the task that changed something, whose request has a clock
    /// and a trail of its own.
    private func task(for workspace: String) -> Task<Void, Never> {
        Task.detached { await self.run(workspace) }
    }

    private func run(_ workspace: String) async {
        let (check, batch) = state.withLock { state in
            let batch = state.works[workspace]?.batch
            state.works[workspace]?.batch = nil
            return (state.check, batch)
        }
        if let check, let batch { await check(workspace, batch) }
        state.withLock { state in
            let isMore = state.works[workspace]?.batch != nil
            state.works[workspace]?.running = isMore ? task(for: workspace) : nil
            if !isMore { state.works[workspace] = nil }
        }
    }
}
