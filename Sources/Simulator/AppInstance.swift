/// An app on a device in a workspace.
package struct AppInstance: Sendable, Hashable {
    package var workspace: String
    package var device: String
    package var app: String

    package init(workspace: String, device: String, app: String) {
        self.workspace = workspace
        self.device = device
        self.app = app
    }
}
