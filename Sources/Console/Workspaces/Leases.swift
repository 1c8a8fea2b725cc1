import Backend
import Core
import FoundationEssentials
import Simulator
import Synchronization
import Traffic
import Web

/// Leased workspaces: created in all modules at once, and removed from all of them when the lease
/// ends.
///
/// The lease itself is the simulator's row, written first and deleted last: what a crash leaves
/// unfinished is done again when the lease expires. Requests see the end at once; event subscribers
/// are notified when it is complete.
final class Leases: Sendable {
    private let services: Services
    private let sleepState = Mutex(SleepState())

    /// The task that sleeps until the next expiry, and how often the expiries changed.
    private struct SleepState {
        var changes = 0
        var sleeper: Task<Void, Never>?
    }

    /// The duration of a lease that requests none.
    static let defaultDuration: Duration = .seconds(3_600)
    private static let maxSeconds = 7 * 86_400
    /// The seconds after which a failed end is retried, and all expiries are compared with the
    /// clock again, which may have been changed meanwhile.
    private static let retrySeconds = 60.0

    /// The maximum length of a workspace's name, in UTF-8 bytes.
    static let maxLabelBytes = 80

    /// Why a workspace cannot have this label; nil if it can. A label that looks like the main
    /// workspace's is refused, because the two would be indistinguishable.
    func labelError(in label: String, for id: String? = nil) -> String? {
        let size = label.utf8.count
        if size > Self.maxLabelBytes {
            return "is too long: \(Format.count(size)) bytes (max \(Self.maxLabelBytes))"
        }
        if label.utf8.contains(0) { return "contains a NUL character" }
        let reservedNames = [
            Workspace.mainID, services.simulator.displayName(ofWorkspace: Workspace.mainID),
        ]
        guard id != Workspace.mainID,
            reservedNames.contains(where: {
                $0.lowercased() == label.whitespaceCollapsed.lowercased()
            })
        else { return nil }
        return "is reserved for the main workspace"
    }

    /// A lease's duration; nil if out of range.
    static func duration(seconds: Double) -> Duration? {
        (1...Double(maxSeconds)).contains(seconds) ? .seconds(seconds) : nil
    }

    static let durationRule = "must be 1 to \(maxSeconds) seconds"

    init(services: Services) { self.services = services }

    func create(label: String, duration: Duration?, for purpose: Workspace.Purpose) async throws
        -> Workspace
    {
        let workspace = try await services.simulator.makeWorkspace(
            label: label, lease: duration ?? Self.defaultDuration, for: purpose)
        do { try await services.backend.create(workspace: workspace.id) } catch {
            await abandon(workspace.id)
            throw error
        }
        wakeSleeper()
        return workspace
    }

    func update(_ id: String, label: String?, duration: Duration?) async throws -> Workspace {
        let workspace = try await services.simulator.updateWorkspace(
            id, label: label, lease: duration)
        wakeSleeper()
        return workspace
    }

    func end(_ id: String) async throws {
        guard id != Workspace.mainID else { throw Problem.mainWorkspaceIsPermanent }
        services.simulator.closeWorkspace(id)
        try await deleteData(id)
        try await services.simulator.deleteWorkspace(id)
        // Requests in progress at the close may have written since.
        services.exchanges.stopRecording(workspace: id)
        try await deleteData(id)
        services.hub.remove(workspace: id)
    }

    /// Ends a lease because of an error that is reported instead of any error here; if it cannot be
    /// ended now, it ends when it expires.
    func abandon(_ id: String) async {
        do { try await end(id) } catch {
            services.world.log(
                "workspaces: \(id) was abandoned and could not be deleted yet: \(type(of: error))"
            )
        }
    }

    private func deleteData(_ id: String) async throws {
        try await services.backend.delete(workspace: id)
        try await services.faults.clear(workspace: id)
        _ = try await services.exchanges.clear(workspace: id)
    }

    /// Ends every lease when it expires, until canceled.
    func runExpiry() async {
        while !Task.isCancelled {
            let changeCount = sleepState.withLock(\.changes)
            var pause = Duration.seconds(86_400)
            do {
                if let next = try await endExpiredLeases() {
                    let remaining = next.timeIntervalSince(services.world.now())
                    pause = .seconds(min(Self.retrySeconds, max(0, remaining)))
                }
            } catch {
                services.world.log("workspaces: \(type(of: error))")
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
            let task = Task { [world = services.world] in
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
            let workspace = try await services.simulator.workspace(id)
            guard let end = workspace.expiresAt, end <= services.world.now() else { return true }
            try await self.end(id)
            return true
        } catch let problem as Problem where problem.status == 404 { return true } catch {
            services.world.log(
                "workspaces: \(id) could not be deleted and will be retried: "
                    + "\(type(of: error))")
            return false
        }
    }

    /// Ends expired leases. Returns the time of the next expiry or retry; nil if there is none.
    private func endExpiredLeases() async throws -> Date? {
        var next: Date?
        for lease in try await services.simulator.leasedWorkspaces() {
            guard var end = lease.expiresAt else { continue }
            let now = services.world.now()
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
    static var mainWorkspaceIsPermanent: Problem {
        Problem(
            status: 409, code: "permanent-workspace", title: "The main workspace is permanent",
            detail: "It has no lease.", apiHint: "POST /api/reset resets it.")
    }
}
