import Simulator
import Web

/// Whose request it is: a workspace and, where it matters, a device.
struct Visitor: Sendable {
    var workspace: String
    var device: Device

    func place(_ app: String) -> Place { Place(workspace: workspace, device: device.id, app: app) }
}
