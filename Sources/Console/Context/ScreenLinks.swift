/// Links of an app's screens, for the browser's current device or for a device with its own
/// address.
struct ScreenLinks: Sendable {
    /// Prefix of all the app's links; a screen's name follows.
    let startURL: String

    init(app: String, device: String? = nil) {
        let devicePath = device.map { "/devices/\($0)" } ?? ""
        startURL = "\(devicePath)/apps/\(app)/"
    }

    func screenURL(_ screen: String) -> String { startURL + screen }

    func actionURL(_ screen: String, _ action: String) -> String {
        "\(startURL)\(screen)/\(action)"
    }
}
