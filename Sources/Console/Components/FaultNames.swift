import Apps
import Simulator
import Templates
import Traffic
import Web

/// Display names of the apps, devices and calls that faults refer to, and the faults' indicators.
struct FaultNames: Sendable {
    private let services: Services
    private let workspace: String
    private var deviceNames: [String: String] = [:]

    /// Looks up the devices that `faults` refer to.
    init(_ faults: [Fault], in workspace: String, _ services: Services) async throws {
        self.services = services
        self.workspace = workspace
        for id in Set(faults.compactMap(\.draft.device)) {
            let device = try await services.simulator.device(id, in: workspace)
            deviceNames[id] = device?.label ?? Format.shortID(id)
        }
    }

    /// The last affected call, such as `POST /auth/login`, with its path below the backend's base.
    func lastCall(_ fault: Fault) -> String? {
        guard let affected = fault.lastAffected else { return nil }
        let parts = affected.call.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return affected.call }
        let basePaths = services.backendRootPaths(in: workspace)
        return "\(parts[0]) \(Format.path(String(parts[1]), below: basePaths))"
    }

    func sentence(_ fault: Fault) -> String {
        fault.sentence(
            app: fault.draft.app.map { services.appCatalog.app($0)?.name ?? $0 },
            device: fault.draft.device.map { deviceNames[$0] ?? $0 })
    }

    /// The frame's fault indicators: the banner below the toolbar (`parts/banner`) and the panel in
    /// the navigation (`parts/faults`). `faults` are in order of application.
    func indicators(_ faults: [Fault]) -> TemplateModel {
        let banner = faults.first.map { first -> TemplateModel in
            [
                "bannerIcon": first.icon, "bannerName": first.kind.name,
                "bannerText": [sentence(first), first.usage(lastCall(first))].filter {
                    !$0.isEmpty
                }.joined(separator: " "),
                "othersText": faults.count > 1 ? "and \(faults.count - 1) more" : nil,
                "turnOffAction": Links.turnOffFault(first.id),
            ]
        }
        return [
            "banner": banner,
            "faultChips": faults.prefix(3).map {
                ChipModel(text: $0.chipText, tone: .warn, chipIcon: $0.icon)
            }, "moreText": faults.count > 3 ? "and \(faults.count - 3) more" : nil,
            "activeCount": faults.isEmpty ? nil : String(faults.count),
        ]
    }
}
