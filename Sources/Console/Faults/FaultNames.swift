import Apps
import Simulator
import Traffic

/// What people call the apps and devices conditions are about.
struct FaultNames: Sendable {
    private let services: Services
    private var deviceNames: [String: String] = [:]
    /// The paths of the apps' bases.
    private let basePaths: [String]

    /// Looks up the devices that `conditions` name.
    init(_ faults: [Fault], in workspace: String, _ services: Services) async throws {
        self.services = services
        basePaths = services.backendRootPaths(in: workspace)
        for id in Set(faults.compactMap(\.draft.device)) {
            let device = try await services.simulator.device(id, in: workspace)
            deviceNames[id] = device?.label ?? Format.shortID(id)
        }
    }

    /// `POST /auth/login`, the last it struck, below its backend's base.
    func lastCall(_ fault: Fault) -> String? {
        guard let use = fault.lastAffected else { return nil }
        let parts = use.call.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return use.call }
        return "\(parts[0]) \(Format.path(String(parts[1]), below: basePaths))"
    }

    func sentence(_ fault: Fault) -> String {
        fault.sentence(
            app: fault.draft.app.map { services.appCatalog.app($0)?.name ?? $0 },
            device: fault.draft.device.map { deviceNames[$0] ?? $0 })
    }
}
