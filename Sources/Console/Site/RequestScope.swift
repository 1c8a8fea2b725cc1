import Simulator
import Web

/// The workspace and device that a request is for.
struct RequestScope: Sendable {
    var workspace: String
    var device: Device

    func instance(_ app: String) -> AppInstance {
        AppInstance(workspace: workspace, device: device.id, app: app)
    }
}
