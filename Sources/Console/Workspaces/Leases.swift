import Backend
import Core
import FoundationEssentials
import Simulator
import Synchronization
import Traffic
import Web

/// Workspaces that are somebody's for a while: made in every room at once,
/// and gone from every room when the lease ends.
///
/// The lease itself is the phones' row, written first and deleted last: what
/// a kill leaves half done is done again when its time is over. Who asks is
/// told at once that it is gone; those who listen, when it is.
final class Leases: Sendable {
    private let services: Services
    private let sleepState = Mutex(SleepState())

    /// Who sleeps until the next end, and how often that end has changed.
    private struct SleepState {
        var changes = 0
        var sleeper: Task<Void, Never>?
    }

    /// A lease without a wish.
    static let defaultDuration: Duration = .seconds(3_600)
    private static let maxSeconds = 7 * 86_400
    /// After so many seconds what could not be ended is tried again, and every
    /// end is compared with the clock, which may have been moved meanwhile.
    private static let retrySeconds = 60.0

    /// How many bytes a workspace's name may have.
    static let maxLabelBytes = 80

    /// What is wrong with naming one `label`; nil for nothing. Two that are
    /// listed as the main one could not be told apart from it.
    func labelError(in label: String, for id: String? = nil) -> String? {
        let size = label.utf8.count
        if size > Self.maxLabelBytes {
            return "is too long: it may have \(Self.maxLabelBytes) bytes, and "
                + "this has \(Format.count(size))"
        }
        if label.utf8.contains(0) { return "holds a NUL character" }
        let main = [
            Workspace.mainID, services.simulator.displayName(ofWorkspace: Workspace.mainID),
        ]
        guard id != Workspace.mainID,
            main.contains(where: { $0.lowercased() == label.whitespaceCollapsed.lowercased() })
        else { return nil }
        return "is that of the workspace everybody begins in; choose another"
    }

    /// How long it is to last; nil for what no lease lasts.
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

    /// Ends a lease now.
    func end(_ id: String) async throws {
        guard id != Workspace.mainID else { throw Problem.mainWorkspaceIsPermanent }
        services.simulator.closeWorkspace(id)
        try await deleteData(id)
        try await services.simulator.deleteWorkspace(id)
        // What was under way when it closed may have written since.
        services.exchanges.stopRecording(workspace: id)
        try await deleteData(id)
        services.hub.remove(workspace: id)
    }

    /// Ends a lease because of an error that is told instead of what this may
    /// come to; what cannot be ended now goes when its time is over.
    func abandon(_ id: String) async {
        do { try await end(id) } catch {
            services.world.log(
                "workspaces: \(id) was given up and could not be ended yet: \(type(of: error))"
            )
        }
    }

    private func deleteData(_ id: String) async throws {
        try await services.backend.delete(workspace: id)
        try await services.faults.clear(workspace: id)
        _ = try await services.exchanges.clear(workspace: id)
    }

    /// Ends every lease when its time is over, until cancelled.
    func runExpiry() async {
        while !Task.isCancelled {
            let seen = sleepState.withLock(\.changes)
            var pause = Duration.seconds(86_400)
            do {
                if let next = try await endExpiredLeases() {
                    let rest = next.timeIntervalSince(services.world.now())
                    pause = .seconds(min(Self.retrySeconds, max(0, rest)))
                }
            } catch {
                services.world.log("workspaces: \(type(of: error))")
                pause = .seconds(Self.retrySeconds)
            }
            await sleep(pause, unlessChangedSince: seen)
        }
    }

    private func wakeSleeper() {
        let sleeper = sleepState.withLock { waiting in
            waiting.changes += 1
            return waiting.sleeper
        }
        sleeper?.cancel()
    }

    private func sleep(_ pause: Duration, unlessChangedSince seen: Int) async {
        let sleeper = sleepState.withLock { waiting -> Task<Void, Never>? in
            guard waiting.changes == seen else { return nil }
            let task = Task { [world = services.world] in
                do { try await world.sleep(pause) } catch {
                    // Woken early: there is another end to wait for.
                }
            }
            waiting.sleeper = task
            return task
        }
        await withTaskCancellationHandler {
            await sleeper?.value
        } onCancel: {
            sleeper?.cancel()
        }
    }

    /// Not one that was prolonged meanwhile, or ended by hand; false if it
    /// should have ended and did not.
    private func endIfExpired(_ id: String) async -> Bool {
        do {
            let workspace = try await services.simulator.workspace(id)
            guard let end = workspace.expiresAt, end <= services.world.now() else { return true }
            try await self.end(id)
            return true
        } catch let problem as Problem where problem.status == 404 { return true } catch {
            services.world.log(
                "workspaces: \(id) could not be ended, and will be tried "
                    + "again: \(type(of: error))")
            return false
        }
    }

    /// When the next one ends, or is to be tried again; nil if none will.
    private func endExpiredLeases() async throws -> Date? {
        var next: Date?
        for lease in try await services.simulator.leasedWorkspaces() {
            guard var end = lease.expiresAt else { continue }
            let now = services.world.now()
            if end <= now {
                // One that will not go keeps no other.
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
            status: 409, code: "main-stays", title: "The workspace main stays",
            detail: "It is leased to nobody.", apiHint: "POST /api/reset empties it.")
    }
}
