import Apps
import Simulator
import Traffic
import Web

/// The frame's fault indicators: the banner below the toolbar and the panel in the navigation.
///
/// It is the frame's property `faultStatus`; `parts/banner` and `parts/faults` read it.
struct FaultStatusModel: Encodable, Sendable {
    /// The fault that applies first; nil for none.
    var banner: Banner?
    /// The first three: `Offline · next 2 requests`.
    var faultChips: [ChipModel] = []
    /// `and 2 more`; nil with three or fewer.
    var moreText: String?
    /// `2`; nil for none.
    var activeCount: String?

    struct Banner: Encodable, Sendable {
        /// A symbol of `icons.svg`.
        var bannerIcon: String
        /// `Offline`.
        var bannerName: String
        /// Its effect, and how often it was applied.
        var bannerText: String
        /// `and 2 more`; nil for the only fault.
        var othersText: String?
        /// The URL to POST to.
        var turnOffAction: String
    }
}

extension FaultStatusModel {
    /// `faults` are in order of application; `names` provides the display names of apps and
    /// devices.
    init(_ faults: [Fault], _ names: FaultNames) {
        let others = faults.count - 1
        banner = faults.first.map { first in
            Banner(
                bannerIcon: first.icon, bannerName: first.kind.name,
                bannerText: [names.sentence(first), first.usage(names.lastCall(first))].filter {
                    !$0.isEmpty
                }.joined(separator: " "), othersText: others > 0 ? "and \(others) more" : nil,
                turnOffAction: Links.turnOffFault(first.id))
        }
        faultChips = faults.prefix(3).map {
            ChipModel(text: $0.chipText, tone: .warn, chipIcon: $0.icon)
        }
        moreText = faults.count > 3 ? "and \(faults.count - 3) more" : nil
        activeCount = faults.isEmpty ? nil : String(faults.count)
    }
}

/// Display names of the apps, devices and calls that faults refer to.
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
}
