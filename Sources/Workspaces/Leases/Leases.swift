package import Backend
package import Core
import FoundationEssentials
package import Simulator
import Synchronization
package import Traffic
package import Web

/// Leased workspaces: created in all modules at once, and removed from all of them when the lease
/// ends.
///
/// The lease itself is the simulator's row, written first and deleted last: what a crash leaves
/// unfinished is done again when the lease expires. Requests are rejected at once; event
/// subscribers are notified when it is complete.
package final class Leases: Sendable {
    let simulator: Simulator
    let backend: EmbeddedBackend
    let exchanges: ExchangeStore
    let faults: FaultStore
    let rules: RuleStore
    let hub: EventHub
    private let world: World
    private let sleepState = Mutex(SleepState())

    /// The task that sleeps until the next expiry, and how often the expiries changed.
    private struct SleepState {
        var changes = 0
        var sleeper: Task<Void, Never>?
    }

    /// The duration of a lease that requests none.
    package static let defaultDuration: Duration = .seconds(3_600)
    private static let maxSeconds = 7 * 86_400
    /// The seconds after which a failed end is retried, and all expiries are compared with the
    /// clock again, which may have been changed meanwhile.
    private static let retrySeconds = 60.0

    /// The maximum length of a workspace's name, in UTF-8 bytes.
    package static let maxLabelBytes = 80

    /// Why a workspace cannot have this label; nil if it can. A label that looks like the main
    /// workspace's is refused, because the two would be indistinguishable.
    package func labelError(in label: String, for id: String? = nil) -> String? {
        let size = label.utf8.count
        if size > Self.maxLabelBytes {
            return "is too long: \(Format.count(size)) bytes (max \(Self.maxLabelBytes))"
        }
        if label.utf8.contains(0) { return "contains a NUL character" }
        let reservedNames = [
            Workspace.mainID, simulator.displayName(ofWorkspace: Workspace.mainID),
        ]
        guard id != Workspace.mainID,
            reservedNames.contains(where: {
                $0.lowercased() == label.whitespaceCollapsed.lowercased()
            })
        else { return nil }
        return "is reserved for the main workspace"
    }

    /// A lease's duration; nil if out of range.
    package static func duration(seconds: Double) -> Duration? {
        (1...Double(maxSeconds)).contains(seconds) ? .seconds(seconds) : nil
    }

    /// The valid durations, for error messages.
    package static let durationRule = "must be 1 to \(maxSeconds) seconds"

    package init(
        simulator: Simulator, backend: EmbeddedBackend, exchanges: ExchangeStore,
        faults: FaultStore, rules: RuleStore, hub: EventHub, world: World
    ) {
        self.simulator = simulator
        self.backend = backend
        self.exchanges = exchanges
        self.faults = faults
        self.rules = rules
        self.hub = hub
        self.world = world
    }

    /// Creates a workspace with a lease; `defaultDuration` if `duration` is nil.
    package func create(label: String, duration: Duration?, for purpose: Workspace.Purpose)
        async throws -> Workspace
    {
        let workspace = try await simulator.makeWorkspace(
            label: label, lease: duration ?? Self.defaultDuration, for: purpose)
        do { try await backend.create(workspace: workspace.id) } catch {
            await abandon(workspace.id)
            throw error
        }
        wakeSleeper()
        return workspace
    }

    /// Renames the workspace or sets its lease to end after `duration` from now; nil changes
    /// nothing.
    package func update(_ id: String, label: String?, duration: Duration?) async throws -> Workspace
    {
        let workspace = try await simulator.updateWorkspace(id, label: label, lease: duration)
        wakeSleeper()
        return workspace
    }

    /// Deletes the workspace with all its data.
    package func end(_ id: String) async throws {
        guard id != Workspace.mainID else { throw Problem.mainWorkspaceIsPermanent }
        simulator.closeWorkspace(id)
        try await deleteData(id)
        try await simulator.deleteWorkspace(id)
        // Requests in progress at the close may have written since.
        exchanges.stopRecording(workspace: id)
        try await deleteData(id)
        hub.remove(workspace: id)
    }

    /// Ends a lease because of an error that is reported instead of any error here; if it cannot be
    /// ended now, it ends when it expires.
    package func abandon(_ id: String) async {
        do { try await end(id) } catch {
            world.log(
                "workspaces: \(id) was abandoned and could not be deleted yet: \(type(of: error))")
        }
    }

    func deleteData(_ id: String) async throws {
        // First, so that no paused request is waited for.
        try await rules.clear(workspace: id)
        try await backend.delete(workspace: id)
        try await faults.clear(workspace: id)
        _ = try await exchanges.clear(workspace: id)
    }

    /// Ends every lease when it expires, until canceled.
    package func runExpiry() async {
        while !Task.isCancelled {
            let changeCount = sleepState.withLock(\.changes)
            var pause = Duration.seconds(86_400)
            do {
                if let next = try await endExpiredLeases() {
                    let remaining = next.timeIntervalSince(world.now())
                    pause = .seconds(min(Self.retrySeconds, max(0, remaining)))
                }
            } catch {
                world.log("workspaces: \(type(of: error))")
                pause = .seconds(Self.retrySeconds)
            }
            await sleep(pause, unlessChangedSince: changeCount)
        }
    }

    private func wakeSleeper() {
        let sleeper = sleepState.withLock { state in
            state.changes += 1
            return state.sleeper
        }
        sleeper?.cancel()
    }

    private func sleep(_ pause: Duration, unlessChangedSince changeCount: Int) async {
        let sleeper = sleepState.withLock { state -> Task<Void, Never>? in
            guard state.changes == changeCount else { return nil }
            let task = Task { [world] in
                do { try await world.sleep(pause) } catch {
                    // Woken early, because the expiries changed.
                }
            }
            state.sleeper = task
            return task
        }
        await withTaskCancellationHandler {
            await sleeper?.value
        } onCancel: {
            sleeper?.cancel()
        }
    }

    /// Ends the lease unless it was extended or ended meanwhile; false if ending it failed.
    private func endIfExpired(_ id: String) async -> Bool {
        do {
            let workspace = try await simulator.workspace(id)
            guard let end = workspace.expiresAt, end <= world.now() else { return true }
            try await self.end(id)
            return true
        } catch let problem as Problem where problem.status == 404 { return true } catch {
            world.log(
                "workspaces: \(id) could not be deleted and will be retried: \(type(of: error))")
            return false
        }
    }

    /// Ends expired leases. Returns the time of the next expiry or retry; nil if there is none.
    private func endExpiredLeases() async throws -> Date? {
        var next: Date?
        for lease in try await simulator.leasedWorkspaces() {
            guard var end = lease.expiresAt else { continue }
            let now = world.now()
            if end <= now {
                // A failure to end one lease must not block the others.
                if await endIfExpired(lease.id) { continue }
                end = now.addingTimeInterval(Self.retrySeconds)
            }
            next = min(next ?? end, end)
        }
        return next
    }
}

extension Problem {
    /// The main workspace has no lease to change or end.
    package static var mainWorkspaceIsPermanent: Problem {
        Problem(
            status: 409, code: "permanent-workspace", title: "The main workspace is permanent",
            detail: "It has no lease.", apiHint: "POST /api/reset resets it.")
    }
}

/// Recovery at start and the reset of a workspace, in all modules.
extension Leases {
    /// Deletes the data of workspaces that no longer exist, and creates those missing in the
    /// backend; called at start, before any request.
    ///
    /// A crash may interrupt the creation and the end of a lease. The lease is the simulator's row,
    /// and each module has its own database: the others are brought in line with it.
    package func recover() async throws {
        let backendIDs = try await backend.referencedWorkspaceIDs()
        let referencedIDs = backendIDs.union(try await exchanges.workspaces()).union(
            faults.workspaces()
        ).union(rules.workspaces()).union(hub.lastIDs().keys)
        for id in referencedIDs where !simulator.hasWorkspace(id) {
            try await deleteData(id)
            hub.remove(workspace: id)
        }
        let leasedIDs = try await simulator.leasedWorkspaces().map(\.id)
        for id in leasedIDs where !backendIDs.contains(id) {
            try await backend.create(workspace: id)
        }
    }

    /// Resets a workspace to the state of a new one: no devices, accounts, mail, traffic, faults or
    /// rules, and the system time.
    package func reset(workspace: String) async throws {
        try await rules.clear(workspace: workspace)
        try await simulator.reset(workspace: workspace)
        try await backend.reset(workspace: workspace)
        exchanges.setRecording(true, in: workspace)
        _ = try await exchanges.clear(workspace: workspace)
        try await faults.clear(workspace: workspace)
        hub.publish(
            Event(workspace: workspace, kind: .workspaceReset, title: "Workspace reset"))
    }
}
