package import Apps
package import Backend
package import Simulator
import Synchronization
package import Traffic
package import Workspaces

/// The walkthrough sessions by device and app. In memory only: after a restart a new session
/// starts, and the old leases expire.
package final class WalkthroughSessions: Sendable {
    private let environment: WalkthroughSession.Environment
    private let leases: Leases
    private let sessions = Mutex<[(key: Key, session: WalkthroughSession)]>([])
    /// Two concurrent requests share one start.
    private let starts = SingleFlight<Key, WalkthroughSession>()

    private struct Key: Hashable {
        var deviceID: String
        var app: String
    }

    /// The oldest session ends when the limit is exceeded.
    private static let sessionLimit = 200
    private static let leaseDuration = Duration.seconds(3_600)

    /// `backendBase` is the embedded backend's address, `http://127.0.0.1:7071`.
    package init(
        simulator: Simulator, backend: EmbeddedBackend, exchanges: ExchangeStore,
        catalog: AppCatalog, leases: Leases, backendBase: String
    ) {
        environment = .init(
            simulator: simulator, backend: backend, exchanges: exchanges, catalog: catalog,
            backendBase: backendBase)
        self.leases = leases
    }

    private var simulator: Simulator { environment.simulator }

    /// The session of a browser's `device`, nil if there is none. A browser that switched to a
    /// session's workspace, to inspect its calls, still uses that session.
    package func walkthrough(of device: String?, in workspace: String, app: String)
        -> WalkthroughSession?
    {
        let session = sessions.withLock { entries in
            entries.first { key, session in
                key.app == app && (key.deviceID == device || session.workspace == workspace)
            }?.session
        }
        guard let session, simulator.hasWorkspace(session.workspace) else { return nil }
        return session
    }

    /// The existing session; starts one if there is none or its lease has expired.
    package func findOrStart(of device: String, in workspace: String, app: String) async throws
        -> WalkthroughSession
    {
        if let session = walkthrough(of: device, in: workspace, app: app) { return session }
        let key = Key(deviceID: device, app: app)
        return try await starts.run(key) { try await self.start(key) }
    }

    /// Ends the browser's session; returns the id of the deleted workspace.
    package func end(of device: String, in workspace: String, app: String) async throws -> String? {
        guard let session = walkthrough(of: device, in: workspace, app: app) else { return nil }
        sessions.withLock { $0.removeAll { $0.session === session } }
        try await leases.end(session.workspace)
        return session.workspace
    }

    private func start(_ key: Key) async throws -> WalkthroughSession {
        let name = environment.catalog.app(key.app)?.name ?? key.app
        let label = "Walkthrough of \(name)".prefix(Leases.maxLabelBytes)
        let workspace = try await leases.create(
            label: String(label), duration: Self.leaseDuration, for: .playback)
        let device: Device
        do { device = try await simulator.makeWalkthroughDevice(in: workspace.id) } catch {
            await leases.abandon(workspace.id)
            throw error
        }
        let session = WalkthroughSession(
            workspace: workspace.id, app: key.app, device: device.id, in: environment)
        let endedWorkspaces = sessions.withLock { entries in
            let ended =
                entries.filter { $0.key == key }
                + entries.prefix(max(0, entries.count - Self.sessionLimit + 1))
            entries.removeAll { entry in ended.contains { $0.session === entry.session } }
            entries.append((key, session))
            return ended.map(\.session.workspace)
        }
        for workspace in endedWorkspaces where simulator.hasWorkspace(workspace) {
            await leases.abandon(workspace)
        }
        return session
    }
}

extension Simulator {
    /// A device that supports every action.
    package func makeWalkthroughDevice(in workspace: String) async throws -> Device {
        try await makeDevice(
            in: workspace, label: "Mira Holt’s device", biometrics: Device.Biometrics(kind: .faceID)
        )
    }
}
