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
    init(
        _ conditions: [Condition], in workspace: String, _ services: Services
    ) async throws {
        self.services = services
        bases = services.apps.flatMap { app in
            app.backends.compactMap { backend in
                services.base(
                    ofBackend: backend.id, app: app.id, workspace: workspace
                ).flatMap(Self.path)
            }
        }
        for id in Set(conditions.compactMap(\.draft.device)) {
            let device = try await services.simulator.device(
                id, in: workspace)
            devices[id] = device?.label ?? Words.short(id)
        }
    }

    /// `POST /auth/login`, the last it struck, below its backend's base.
    func call(_ condition: Condition) -> String? {
        guard let use = condition.lastUse else { return nil }
        let parts = use.call.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return use.call }
        let base = bases.filter { parts[1].hasPrefix($0 + "/") }
            .max { $0.count < $1.count } ?? ""
        return "\(parts[0]) \(parts[1].dropFirst(base.count))"
    }

    private static func path(_ base: String) -> String? {
        guard let scheme = base.firstRange(of: "://") else { return nil }
        let rest = base[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) }
    }

    func sentence(_ condition: Condition) -> String {
        condition.sentence(
            app: condition.draft.app.map {
                services.catalogue.app($0)?.name ?? $0
            },
            device: condition.draft.device.map { devices[$0] ?? $0 })
    }
}
