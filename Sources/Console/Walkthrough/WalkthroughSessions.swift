import Apps
import Simulator
import Synchronization
import Workspaces

/// The walkthrough sessions by device and app. In memory only: after a restart a new session
/// starts, and the old leases expire.
final class WalkthroughSessions: Sendable {
    private let services: Services
    private let leases: Leases
    private let sessions = Mutex<[(key: Key, walk: WalkthroughSession)]>([])
    /// Starts in progress, so that two concurrent requests share one.
    private let pendingStarts = Mutex<[Key: Task<WalkthroughSession, any Error>]>([:])

    private struct Key: Hashable {
        var deviceID: String
        var app: String
    }

    /// The oldest session ends when the limit is exceeded.
    private static let sessionLimit = 200
    private static let leaseDuration = Duration.seconds(3_600)

    init(services: Services, leases: Leases) {
        self.services = services
        self.leases = leases
    }

    /// The session of a browser's `device`, nil if there is none. A browser that switched to a
    /// session's workspace, to inspect its calls, still uses that session.
    func walkthrough(of device: String?, in workspace: String, app: String) -> WalkthroughSession? {
        let session = sessions.withLock { entries in
            entries.first { key, session in
                key.app == app && (key.deviceID == device || session.workspace == workspace)
            }?.walk
        }
        guard let session, services.simulator.hasWorkspace(session.workspace) else { return nil }
        return session
    }

    /// The existing session; starts one if there is none or its lease has expired.
    func findOrStart(_ scope: RequestScope, app: String) async throws -> WalkthroughSession {
        if let session = walkthrough(of: scope, app: app) { return session }
        let key = Key(deviceID: scope.device.id, app: app)
        let task = pendingStarts.withLock { starts in
            if let task = starts[key] { return task }
            let task = Task {
                // Only this task's own entry: it is removed before waiting callers resume, and
                // those may start another.
                defer { self.pendingStarts.withLock { $0[key] = nil } }
                return try await self.start(key)
            }
            starts[key] = task
            return task
        }
        return try await task.value
    }

    private func walkthrough(of scope: RequestScope, app: String) -> WalkthroughSession? {
        walkthrough(of: scope.device.id, in: scope.workspace, app: app)
    }

    /// Ends the browser's session; returns the id of the deleted workspace.
    func end(_ scope: RequestScope, app: String) async throws -> String? {
        guard let session = walkthrough(of: scope, app: app) else { return nil }
        sessions.withLock { $0.removeAll { $0.walk === session } }
        try await leases.end(session.workspace)
        return session.workspace
    }

    private func start(_ key: Key) async throws -> WalkthroughSession {
        let name = services.appCatalog.app(key.app)?.name ?? key.app
        let label = "Walkthrough of \(name)".prefix(Leases.maxLabelBytes)
        let workspace = try await leases.create(
            label: String(label), duration: Self.leaseDuration, for: .playback)
        let device: Device
        do { device = try await Self.makeDevice(in: workspace.id, services) } catch {
            await leases.abandon(workspace.id)
            throw error
        }
        let session = WalkthroughSession(workspace: workspace.id, app: key.app, device: device.id)
        let endedWorkspaces = sessions.withLock { entries in
            let ended =
                entries.filter { $0.key == key }
                + entries.prefix(max(0, entries.count - Self.sessionLimit + 1))
            entries.removeAll { entry in ended.contains { $0.walk === entry.walk } }
            entries.append((key, session))
            return ended.map(\.walk.workspace)
        }
        for workspace in endedWorkspaces where services.simulator.hasWorkspace(workspace) {
            await leases.abandon(workspace)
        }
        return session
    }

    /// A device that supports every action.
    static func makeDevice(in workspace: String, _ services: Services) async throws -> Device {
        try await services.simulator.makeDevice(
            in: workspace, label: "Mira Holt’s device", biometrics: Device.Biometrics(kind: .faceID)
        )
    }
}
