import Apps
import Simulator
import Traffic

/// What people call the apps and devices conditions are about.
struct ConditionNames: Sendable {
    private let services: Services
    private var devices: [String: String] = [:]
    /// The paths of the apps' bases.
    private let bases: [String]

    /// Looks up the devices that `conditions` name.
    init(_ conditions: [Condition], in workspace: String, _ services: Services) async throws {
        self.services = services
        bases = services.roots(in: workspace)
        for id in Set(conditions.compactMap(\.draft.device)) {
            let device = try await services.simulator.device(id, in: workspace)
            devices[id] = device?.label ?? Words.short(id)
        }
    }

    /// `POST /auth/login`, the last it struck, below its backend's base.
    func call(_ condition: Condition) -> String? {
        guard let use = condition.lastUse else { return nil }
        let parts = use.call.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return use.call }
        return "\(parts[0]) \(Words.path(String(parts[1]), below: bases))"
    }

    func sentence(_ condition: Condition) -> String {
        condition.sentence(
            app: condition.draft.app.map { services.catalogue.app($0)?.name ?? $0 },
            device: condition.draft.device.map { devices[$0] ?? $0 })
    }
}
