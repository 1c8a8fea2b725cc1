import Simulator
import Web

/// Whose request it is: a workspace and, where it matters, a device.
struct RequestScope: Sendable {
    var workspace: String
    var device: Device

    func instance(_ app: String) -> AppInstance {
        AppInstance(workspace: workspace, device: device.id, app: app)
    }
}
