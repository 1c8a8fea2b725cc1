/// Where the links of an app's screens lead: to the app on the browser's own
/// device, or to the one on a device that has an address of its own.
struct ScreenLinks: Sendable {
    /// The app's start; a screen's name follows.
    let startURL: String

    init(app: String, device: String? = nil) {
        let phone = device.map { "/devices/\($0)" } ?? ""
        startURL = "\(phone)/apps/\(app)/"
    }

    func screenURL(_ screen: String) -> String { startURL + screen }

    func actionURL(_ screen: String, _ action: String) -> String {
        "\(startURL)\(screen)/\(action)"
    }
}
