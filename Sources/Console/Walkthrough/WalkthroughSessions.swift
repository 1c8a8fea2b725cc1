import Apps
import Simulator
import Synchronization

/// Which walk belongs to which visitor. Kept in memory: after a restart one
/// simply begins again, and the leases end by themselves.
final class WalkthroughSessions: Sendable {
    private let services: Services
    private let leases: Leases
    private let sessions = Mutex<[(key: Key, walk: WalkthroughSession)]>([])
    /// Walks being begun, so that two tabs at once begin one.
    private let pendingStarts = Mutex<[Key: Task<WalkthroughSession, any Error>]>([:])

    private struct Key: Hashable {
        var deviceID: String
        var app: String
    }

    /// So many at once; then the oldest ends.
    private static let sessionLimit = 200
    private static let leaseDuration = Duration.seconds(3_600)

    init(services: Services, leases: Leases) {
        self.services = services
        self.leases = leases
    }

    /// The walk of a browser's `device` through an app, nil before the first.
    /// Whoever went into a walk's workspace to look at its calls is still on
    /// that walk.
    func walkthrough(of device: String?, in workspace: String, app: String) -> WalkthroughSession? {
        let walk = sessions.withLock { known in
            known.first { key, walk in
                key.app == app && (key.deviceID == device || walk.workspace == workspace)
            }?.walk
        }
        guard let walk, services.simulator.hasWorkspace(walk.workspace) else { return nil }
        return walk
    }

    /// The same; begun if there is none, or if its lease has ended.
    func findOrStart(_ scope: RequestScope, app: String) async throws -> WalkthroughSession {
        if let walk = walkthrough(of: scope, app: app) { return walk }
        let key = Key(deviceID: scope.device.id, app: app)
        let task = pendingStarts.withLock { begun in
            if let task = begun[key] { return task }
            let task = Task {
                // Its own entry: by the time those who wait for it go on,
                // another may have begun.
                defer { self.pendingStarts.withLock { $0[key] = nil } }
                return try await self.start(key)
            }
            begun[key] = task
            return task
        }
        return try await task.value
    }

    private func walkthrough(of scope: RequestScope, app: String) -> WalkthroughSession? {
        walkthrough(of: scope.device.id, in: scope.workspace, app: app)
    }

    /// Ends the visitor's walk, the next look begins another; answers the
    /// workspace that is gone.
    func end(_ scope: RequestScope, app: String) async throws -> String? {
        guard let walk = walkthrough(of: scope, app: app) else { return nil }
        sessions.withLock { $0.removeAll { $0.walk === walk } }
        try await leases.end(walk.workspace)
        return walk.workspace
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
        let walk = WalkthroughSession(workspace: workspace.id, app: key.app, device: device.id)
        let over = sessions.withLock { known in
            let ended =
                known.filter { $0.key == key }
                + known.prefix(max(0, known.count - Self.sessionLimit + 1))
            known.removeAll { kept in ended.contains { $0.walk === kept.walk } }
            known.append((key, walk))
            return ended.map(\.walk.workspace)
        }
        for workspace in over where services.simulator.hasWorkspace(workspace) {
            await leases.abandon(workspace)
        }
        return walk
    }

    /// A phone with everything a screen could offer.
    static func makeDevice(in workspace: String, _ services: Services) async throws -> Device {
        try await services.simulator.makeDevice(
            in: workspace, label: "Mira Holt’s phone", biometrics: Device.Biometrics(kind: .faceID))
    }
}
