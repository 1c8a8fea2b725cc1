import Apps
import Simulator
import Synchronization

/// Which walk belongs to which visitor. Kept in memory: after a restart one
/// simply begins again, and the leases end by themselves.
final class Walks: Sendable {
    private let services: Services
    private let leases: Leases
    private let known = Mutex<[(key: Key, walk: Walk)]>([])
    /// Walks being begun, so that two tabs at once begin one.
    private let begun = Mutex<[Key: Task<Walk, any Error>]>([:])

    private struct Key: Hashable {
        var visitor: String
        var app: String
    }

    /// So many at once; then the oldest ends.
    private static let bound = 200
    private static let lease = Duration.seconds(3_600)

    init(services: Services, leases: Leases) {
        self.services = services
        self.leases = leases
    }

    /// The walk of a browser's `device` through an app, nil before the first.
    /// Whoever went into a walk's workspace to look at its calls is still on
    /// that walk.
    func walk(of device: String?, in workspace: String, app: String) -> Walk? {
        let walk = known.withLock { known in
            known.first { key, walk in
                key.app == app && (key.visitor == device || walk.workspace == workspace)
            }?.walk
        }
        guard let walk, services.simulator.hasWorkspace(walk.workspace) else { return nil }
        return walk
    }

    /// The same; begun if there is none, or if its lease has ended.
    func join(_ visitor: Visitor, app: String) async throws -> Walk {
        if let walk = walk(of: visitor, app: app) { return walk }
        let key = Key(visitor: visitor.device.id, app: app)
        let task = begun.withLock { begun in
            if let task = begun[key] { return task }
            let task = Task {
                // Its own entry: by the time those who wait for it go on,
                // another may have begun.
                defer { self.begun.withLock { $0[key] = nil } }
                return try await self.begin(key)
            }
            begun[key] = task
            return task
        }
        return try await task.value
    }

    private func walk(of visitor: Visitor, app: String) -> Walk? {
        walk(of: visitor.device.id, in: visitor.workspace, app: app)
    }

    /// Ends the visitor's walk, the next look begins another; answers the
    /// workspace that is gone.
    func end(_ visitor: Visitor, app: String) async throws -> String? {
        guard let walk = walk(of: visitor, app: app) else { return nil }
        known.withLock { $0.removeAll { $0.walk === walk } }
        try await leases.end(walk.workspace)
        return walk.workspace
    }

    private func begin(_ key: Key) async throws -> Walk {
        let name = services.catalogue.app(key.app)?.name ?? key.app
        let label = "Walkthrough of \(name)".prefix(Leases.longestLabel)
        let workspace = try await leases.make(
            label: String(label), lease: Self.lease, for: .rehearsal)
        let device: Device
        do { device = try await Self.phone(in: workspace.id, services) } catch {
            await leases.abandon(workspace.id)
            throw error
        }
        let walk = Walk(workspace: workspace.id, app: key.app, device: device.id)
        let over = known.withLock { known in
            let ended =
                known.filter { $0.key == key } + known.prefix(max(0, known.count - Self.bound + 1))
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
    static func phone(in workspace: String, _ services: Services) async throws -> Device {
        try await services.simulator.makeDevice(
            in: workspace, label: "Mira Holt’s phone", biometrics: Device.Biometrics(kind: .faceID))
    }
}
